// The floors of the house, lowest first. A folder imports only from floors below its own, and from itself.
const floors = [
  ['src/errors.ts', 'src/paths.ts', 'src/nearest.ts', 'src/quantities.ts', 'src/secret.ts'],
  ['src/files'],
  ['src/audit'],
  ['src/egress'],
  ['src/config'],
  ['src/credentials'],
  ['src/cell'],
  ['src/copy'],
  ['src/agents'],
  ['src/contest'],
  ['src/fleet'],
  ['src/guarantees'],
  ['src/server'],
  ['src/cli'],
]
const pattern = (paths) => `^(${paths.map((each) => each.replace('.', '\\.')).join('|')})`

export default {
  forbidden: [
    ...floors.slice(0, -1).map((floor, index) => ({
      name: `floor-of-${floor[0].replace('src/', '')}`,
      severity: 'error',
      from: { path: pattern(floor) },
      to: { path: pattern(floors.slice(index + 1).flat()) },
    })),
    {
      name: 'jobs-know-no-backend',
      severity: 'error',
      comment: 'Only launch.ts and doctor pick a backend.',
      from: { path: '^src/(agents|contest|fleet|server)' },
      to: { path: '^src/cell/backends' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    { name: 'no-tests-in-src', severity: 'error', from: { path: '^src' }, to: { path: '^(test|bench|scripts)' } },
    {
      name: 'declared-dependencies',
      severity: 'error',
      from: { path: '^src' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
