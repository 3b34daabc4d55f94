// The floors of the house, lowest first. A folder imports only from floors below its own, and from itself.
const floors = [
  ['src/secrets/'],
  ['src/base/'],
  ['src/system/'],
  ['src/files/'],
  ['src/git/'],
  ['src/audit/'],
  ['src/egress/'],
  ['src/credentials/'],
  ['src/cell/'],
  ['src/copy/'],
  ['src/worktree/'],
  ['src/adapters/'],
  ['src/telemetry/'],
  ['src/config/'],
  ['src/remotes/'],
  ['src/host.ts'],
  ['src/run/'],
  ['src/setup/'],
  ['src/contest/'],
  ['src/fleet/'],
  ['src/attest/'],
  ['src/guarantees/', 'src/redteam/'],
  ['src/server/'],
  ['src/(index|contest-api|cell-api).ts', 'src/programs/', 'src/mcp/', 'src/acp/'],
  ['src/cli/'],
]
// The same, inside of a floor.
const inside = [
  [
    ['src/cell/plan/'],
    ['src/cell/trees/', 'src/cell/resources/'],
    ['src/cell/network/', 'src/cell/streams/'],
    ['src/cell/run/'],
    ['src/cell/backends/'],
  ],
  [
    'config',
    'state',
    'seal',
    'run',
    'diff',
    'checks',
    'judging',
    'ranking',
    'report',
    'stages',
    'iterate',
    'project',
    'archive',
    'cleanup',
    'lint',
    'suite',
  ].map((room) => [`src/contest/${room}/`]),
]
const pattern = (paths) => `^(${paths.map((each) => each.replace('.', '\\.')).join('|')})`
const towers = [floors, ...inside]
const jobs = ['src/run/', 'src/setup/', 'src/contest/', 'src/fleet/', 'src/server/', 'src/cli/', 'src/redteam/', 'src/guarantees/']

export default {
  forbidden: [
    ...towers.flatMap((tower) =>
      tower.slice(0, -1).map((floor, index) => ({
        name: `floor-of-${floor[0].replace('src/', '')}`,
        severity: 'error',
        from: { path: pattern(floor) },
        to: { path: pattern(tower.slice(index + 1).flat()) },
      })),
    ),
    {
      name: 'one-composition-root',
      severity: 'error',
      comment: 'Only host.ts knows which backends there are.',
      from: { path: '^src', pathNot: '^src/(host\\.ts|cell/backends/)' },
      to: { path: '^src/cell/backends/' },
    },
    {
      name: 'jobs-see-the-face-of-a-cell',
      severity: 'error',
      comment: 'Where and how a cell runs is behind StartCell.',
      from: {
        path: pattern(jobs),
      },
      to: { path: '^src/cell/', pathNot: '^src/cell/(cell\\.ts|backend-facts\\.ts|report(-schema)?\\.ts|plan/|streams/)' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'no-cycles-in-the-page',
      severity: 'error',
      comment: 'Not even of types: a page that is loaded on demand must not depend on the one that loads it.',
      from: { path: '^web' },
      to: { circular: true },
    },
    { name: 'no-tests-in-src', severity: 'error', from: { path: '^src' }, to: { path: '^(test|bench|scripts)' } },
    {
      name: 'declared-dependencies',
      severity: 'error',
      from: { path: '^src' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
