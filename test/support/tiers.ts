import { globSync } from 'node:fs'

const within = (folder: string, names: readonly string[]): string[] => names.map((each) => `${folder}/${each}`)

/** End-to-end tests whose subject does not depend on the user, so that they are not repeated as root. */
const sameForRoot = [
  ...within('cell', ['redteam']),
  ...within('contest', [
    'apply-attacks',
    'archive',
    'diff',
    'judge-me',
    'judge',
    'leftovers',
    'project',
    'refine',
    'resume',
    'setup',
    'suite-budget',
    'tail',
    'traces',
  ]),
  ...within('copy', ['apply-commit', 'copy-lines', 'snapshot']),
  ...within('credentials', ['bound-secrets', 'credentials', 'forges', 'secrets', 'vault']),
  ...within('egress', ['approvals', 'endpoint-trouble']),
  ...within('fleet', [
    'acp',
    'backup',
    'discord',
    'hooks',
    'memory',
    'model',
    'observed',
    'questions',
    'roles',
    'schedules',
    'setup',
    'team-guide',
  ]),
  ...within('run', ['acp', 'attest', 'cell-api', 'last-lines', 'mcp', 'report-file', 'run-json', 'telemetry', 'trajectory-file', 'trust']),
]

/** Long tests that only the lab runs. Shorter ones of the same subject are in the other tiers. */
const long = [
  ...within('web', ['administration', 'details', 'judge', 'long-lists', 'pictures', 'selection', 'states', 'story', 'suites', 'terminal']),
  ...within('e2e/contest', ['apply-trouble', 'chef', 'consult']),
  ...within('e2e/credentials', ['login', 'vault']),
  ...within('e2e/fleet', [
    'approvals-contests-vault',
    'delegation',
    'discord-trouble',
    'leases-model',
    'model-trouble',
    'schedules',
    'webhooks',
  ]),
  ...within('e2e/run', ['job-control']),
  ...within('contest', ['lint', 'suite/import', 'suite/run-suite']),
  ...within('credentials', ['refresher-processes', 'vault-processes']),
  ...within('cli', ['answers', 'completion']),
  'cell/repositories/laundered-random',
  'e2e/git/git-variants',
  'web/first-hour',
  ...within('contest', [
    'controls',
    'other-backend',
    'ranking/cards/scripted-judges',
    'suite/from-git',
    'suite/suite-killed',
    'suite/compare/compare-suites',
  ]),
  ...within('install', ['trixie', 'trixie-tests']),
  'e2e/cell/escapes-at-l1',
  ...within('e2e', ['cell/large-project', 'fleet/verify', 'git/git-differential', 'run/gradle', 'run/shim-many']),
  ...within('fleet', ['schedules/killed-anywhere', 'webhooks/killed-anywhere']),
  ...within('contest', ['ranking/strength/coverage', 'suite/compare/compare-rates', 'suite/harbor-collection', 'suite/starter']),
  ...within('server', ['streams/watchers']),
  ...within('toolchains', ['scaffolders']),
  'fleet/schedules/cron',
  'install/all-packages',
  'install/apparmor',
].map((each) => `test/${each}.deep.test.ts`)

/** Slow tests that only the lab runs, as an ordinary user and as root. Other ones of their subjects are in the other tiers. */
const onlyInLab = [
  'e2e/git/held-paths',
  'e2e/git/submodules',
  'e2e/git/linked-trees',
  'e2e/fleet/worktree',
  'e2e/fleet/backup',
  'e2e/fleet/discord',
  'worktree/filters',
  'e2e/run/setup',
  'e2e/run/signals',
  'e2e/run/what-a-run-did',
  'e2e/contest/judge-me',
  'e2e/contest/project',
  'e2e/copy/apply-filters',
  'contest/claims',
  'contest/pairwise',
  'contest/checks/could-not-run',
  'e2e/git/many-repositories',
  'e2e/contest/apply-links',
  'e2e/contest/levels',
  'e2e/credentials/vault',
].map((each) => `test/${each}.test.ts`)

const endToEnd = (names: readonly string[]): string[] => names.map((each) => `test/e2e/${each}.test.ts`)

/** Tests that are too slow for `npm test`, so that the deep tier runs them the same way, by the test of their subject that `npm test` keeps. */
const slowBeside = {
  'e2e/cell/isolation': [
    'cell/run/watch',
    'cell/protected-names',
    'e2e/egress/proxy',
    'e2e/egress/user-certificates',
    'e2e/cell/attacks',
    'e2e/git/config-in-cell',
    'e2e/cell/masks',
    'e2e/cell/shared-files',
    'e2e/cell/outside-project',
    'e2e/cell/private-home',
    'e2e/cell/installs',
    'e2e/cell/odd-homes',
    'e2e/egress/registries',
    'e2e/egress/approvals',
    'e2e/credentials/forges',
    'e2e/cell/redteam',
    'e2e/egress/java',
  ],
  'e2e/run/run': [
    'e2e/run/shim',
    'e2e/run/init',
    'run/asks',
    'e2e/cell/ordinary-cell',
    'e2e/run/last-lines',
    'e2e/run/mcp',
    'e2e/run/trust',
    'cell/backend-contract',
    'docs/console-examples',
  ],
  'e2e/git/host-git': [
    'cell/where-git-is-sent',
    'worktree/merge',
    'cell/trees/git-exclude',
    'e2e/git/held-on-host',
    'e2e/git/private-hooks',
    'e2e/git/user-git',
    'e2e/git/worktree',
    'e2e/git/task-tree-attacks',
    'cell/repositories/laundered',
    'cell/trees/hidden-in-git',
  ],
  'e2e/copy/apply': ['e2e/copy/apply-commit', 'e2e/copy/copy-lines'],
  'e2e/credentials/secrets': ['credentials/vault-keyring'],
  'e2e/contest/contest': [
    'contest/counted-judging',
    'contest/attacks',
    'e2e/contest/refine',
    'contest/checks/checks',
    'contest/run/limits',
    'e2e/contest/archive',
    'e2e/contest/apply-attacks',
    'contest/quarantine',
    'e2e/contest/leftovers',
    'e2e/contest/resume',
    'e2e/contest/setup',
    'e2e/contest/diff',
  ],
  'e2e/fleet/fleet': [
    'fleet/host-process/host-process',
    'e2e/fleet/approval',
    'e2e/fleet/places',
    'e2e/fleet/model',
    'e2e/fleet/questions',
    'e2e/fleet/home',
    'e2e/fleet/setup',
    'server/own-process',
    'e2e/fleet/team-guide',
    'e2e/fleet/roles',
    'e2e/fleet/contest-sealed',
    'e2e/fleet/acp',
  ],
}
/** One test of each subject, by those of `slowBeside`. */
const subjects = [...Object.keys(slowBeside).map((each) => each.replace('e2e/', '')), 'egress/proxy']
export const slow: string[] = Object.values(slowBeside).flatMap((each) => each.map((name) => `test/${name}.test.ts`))

/** The tests that `npm test` leaves out, besides the deep ones. */
export const notQuick: string[] = [...slow, ...onlyInLab]

/**
 * End-to-end tests that the deep tier repeats as root: those of the cell, which depend most on the user, and one of each other subject.
 * The lab repeats the others.
 */
const asRoot = [...globSync('test/e2e/cell/*.test.ts', { exclude: ['**/ordinary-cell.test.ts'] }), ...endToEnd(subjects)]
const asRootInLab = globSync('test/e2e/*/*.test.ts').filter(
  (each) => !each.endsWith('.deep.test.ts') && ![...asRoot, ...endToEnd(sameForRoot)].includes(each),
)

/** The tests that `npm run test:deep` leaves out. */
export const notDeep: string[] = [...new Set([...endToEnd(sameForRoot), ...asRootInLab, ...long, ...onlyInLab])]
/** The tests that `npm run test:lab` runs besides its own: those, and ones of which the deep tier runs a part. */
export const inLab: string[] = [
  ...new Set([...asRootInLab, ...long, ...onlyInLab]),
  ...['e2e/cell/verify', 'guarantees/sabotage', 'install/packages', 'web/whole'].map((each) => `test/${each}.deep.test.ts`),
  'test/cell/repositories/random-trees.test.ts',
  'test/docs/console-examples.test.ts',
]
