/** End-to-end tests whose subject does not depend on the user. `npm test` runs them, and for each, one of its kind is repeated as root. */
const sameForRoot = [
  ...['acp', 'apply-commit', 'approvals', 'bound-secrets', 'copy-lines', 'credentials', 'endpoint-trouble', 'forges', 'last-lines'],
  ...['mcp', 'redteam', 'report-file', 'run-json', 'secrets', 'snapshot', 'trust', 'vault'],
  ...['apply-attacks', 'archive', 'diff', 'judge-me', 'judge', 'leftovers', 'project', 'refine', 'resume', 'setup', 'tail'].map(
    (each) => `contest-${each}`,
  ),
  ...['acp', 'backup', 'discord', 'hooks', 'memory', 'model', 'questions', 'roles', 'schedules', 'setup', 'team-guide'].map(
    (each) => `fleet-${each}`,
  ),
]

/** Long end-to-end tests that `npm test` runs, and that are repeated as root in the lab. Shorter ones of the same subject are in the deep tier. */
const rootInLab = ['fleet-worktree', 'held-paths', 'linked-trees', 'masks', 'setup', 'signals', 'submodules', 'user-git', 'worktree']

/** Long tests that only the lab runs. Shorter ones of the same subject are in the other tiers. */
const long = [
  ...['administration', 'details', 'judge', 'long-lists', 'pictures', 'selection', 'states', 'story', 'suites', 'terminal'].map(
    (each) => `web/${each}`,
  ),
  ...['contest-apply-trouble', 'contest-chef', 'contest-consult', 'fleet-approvals-contests-vault', 'fleet-discord-trouble'].map(
    (each) => `e2e/${each}`,
  ),
  ...['fleet-leases-model', 'fleet-model-trouble', 'fleet-schedules', 'job-control', 'login', 'vault'].map((each) => `e2e/${each}`),
  ...['lint', 'ranking/strength/coverage', 'suite/import', 'suite/run-suite'].map((each) => `contest/${each}`),
  ...['refresher-processes', 'vault-processes'].map((each) => `credentials/${each}`),
  'fleet/schedules/cron',
].map((each) => `test/${each}.deep.test.ts`)

const endToEnd = (names: readonly string[]): string[] => names.map((each) => `test/e2e/${each}.test.ts`)

/** The tests that `npm run test:deep` leaves out. */
export const notDeep: string[] = [...endToEnd([...sameForRoot, ...rootInLab]), ...long]
/** The tests that `npm run test:lab` runs besides its own: those, and ones of which the deep tier runs a part. */
export const inLab: string[] = [
  ...endToEnd(rootInLab),
  ...long,
  ...['cell/repositories/laundered-random', 'e2e/git-variants', 'e2e/verify', 'guarantees/sabotage', 'web/whole'].map(
    (each) => `test/${each}.deep.test.ts`,
  ),
  'test/cell/repositories/random-trees.test.ts',
]
