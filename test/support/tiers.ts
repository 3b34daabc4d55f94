/** End-to-end tests whose subject does not depend on the user, so that they are not repeated as root. */
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

/** Long end-to-end tests that are repeated as root only in the lab. Shorter ones of the same subject are in the deep tier. */
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

/** Tests that are too slow for `npm test`, so that the deep tier runs them the same way, by the test of their subject that `npm test` keeps. */
const slowBeside = {
  'e2e/isolation': [
    'e2e/attacks',
    'e2e/config-in-cell',
    'e2e/masks',
    'e2e/shared-files',
    'e2e/outside-project',
    'e2e/private-home',
    'e2e/registries',
    'e2e/approvals',
    'e2e/forges',
    'e2e/redteam',
    'e2e/java',
  ],
  'e2e/run': [
    'e2e/ordinary-cell',
    'e2e/setup',
    'e2e/signals',
    'e2e/what-a-run-did',
    'e2e/last-lines',
    'e2e/mcp',
    'e2e/trust',
    'cell/backend-contract',
    'docs/console-examples',
  ],
  'e2e/host-git': [
    'e2e/submodules',
    'e2e/held-on-host',
    'e2e/held-paths',
    'e2e/linked-trees',
    'e2e/private-hooks',
    'e2e/many-repositories',
    'e2e/user-git',
    'e2e/worktree',
    'e2e/task-tree-attacks',
    'cell/repositories/laundered',
    'cell/trees/hidden-in-git',
    'worktree/filters',
  ],
  'e2e/apply': ['e2e/apply-filters', 'e2e/apply-commit', 'e2e/copy-lines'],
  'e2e/secrets': ['e2e/vault'],
  'e2e/contest': [
    'e2e/contest-judge-me',
    'contest/claims',
    'e2e/contest-project',
    'e2e/contest-apply-links',
    'contest/checks/could-not-run',
    'e2e/contest-refine',
    'contest/pairwise',
    'contest/checks/checks',
    'contest/run/limits',
    'e2e/contest-archive',
    'e2e/contest-apply-attacks',
    'contest/quarantine',
    'e2e/contest-leftovers',
    'e2e/contest-resume',
    'e2e/contest-setup',
    'e2e/contest-diff',
  ],
  'e2e/fleet': [
    'e2e/fleet-places',
    'e2e/fleet-discord',
    'e2e/fleet-worktree',
    'e2e/fleet-backup',
    'e2e/fleet-model',
    'e2e/fleet-questions',
    'e2e/fleet-home',
    'e2e/fleet-setup',
    'server/own-process',
    'e2e/fleet-team-guide',
    'e2e/fleet-roles',
    'e2e/fleet-contest-sealed',
    'e2e/fleet-acp',
  ],
}
export const slow: string[] = Object.values(slowBeside).flatMap((each) => each.map((name) => `test/${name}.test.ts`))

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
