import { expect, test } from 'vitest'
import { rulesOfHost } from '../../../src/adapters/agent-facts.ts'
import type { ChangeSummary } from '../../../src/cell/report.ts'
import { asideLines, laterLines, linkLines } from '../../../src/cli/run/change-lines.ts'

const changes = (more: Partial<ChangeSummary>): ChangeSummary => ({
  created: [],
  modified: [],
  runsLater: [],
  deleted: [],
  renamed: [],
  git: [],
  quarantined: [],
  unsearched: [],
  truncated: false,
  ...more,
})
const moved = (...paths: readonly string[]): ChangeSummary =>
  changes({ quarantined: paths.map((each) => ({ path: each, movedTo: `${each}.quarantined` })) })
const numbered = (count: number, name: (n: number) => string): readonly string[] => Array.from({ length: count }, (_, n) => name(n))

test('A11: files with the same reason share one entry of the line, grouped by directory with a count', () => {
  const shell = { why: 'a shell script' }
  const runsLater = [
    { path: 'package.json', why: 'npm runs its scripts' },
    { path: 'Makefile', why: 'make runs it' },
    { path: 'sub/Makefile', why: 'make runs it' },
    ...numbered(1500, (n) => `scripts/${n}.sh`).map((each) => ({ path: each, ...shell })),
    { path: 'tools/one.sh', ...shell },
    ...numbered(3, (n) => `top-${n}.sh`).map((each) => ({ path: each, ...shell })),
    ...numbered(4, (n) => `d${n}/x.sh`).map((each) => ({ path: each, ...shell })),
  ]
  expect(laterLines(changes({ runsLater }))).toEqual([
    'review these before you go on; they can run on your machine: package.json (npm runs its scripts), ' +
      'Makefile, sub/Makefile (make runs it), ' +
      '1500 in scripts/, tools/one.sh, 3 in ./ and 4 more (a shell script)',
  ])
  expect(laterLines(changes({}))).toEqual([])
})

test('A11: of many reasons the first ten are in the line', () => {
  const runsLater = numbered(12, (n) => `${n}`).map((each) => ({ path: each, why: `reason ${each}` }))
  expect(laterLines(changes({ runsLater }))[0]).toMatch(/: 0 \(reason 0\), 1 .*, 9 \(reason 9\) and 2 more$/)
})

test('A11: 30 quarantined .idea do not hide which .envrc was quarantined', () => {
  const ideas = numbered(30, (n) => `deep/er/${n}/.idea`)
  expect(asideLines(moved(...ideas, 'sub/.envrc', 'deep/mise.dev.toml'))).toEqual([
    'quarantined (a tool on your machine would run it): sub/.envrc → sub/.envrc.quarantined',
    'quarantined (a tool on your machine would run it): deep/er/0/.idea → deep/er/0/.idea.quarantined, and 29 more of .idea',
    'quarantined (a tool on your machine would run it): deep/mise.dev.toml → deep/mise.dev.toml.quarantined',
  ])
})

test('A11: names that one rule protects are one group, however many there are', () => {
  const lines = asideLines(moved('b/mise.b.toml', 'a/mise.a.toml', ...numbered(30, (n) => `x/mise.${n}.toml`), 'x/.git', 'x/y/HEAD'))
  expect(lines.map((each) => each.replace(/.*: /, ''))).toEqual([
    'x/.git → x/.git.quarantined',
    'x/y/HEAD → x/y/HEAD.quarantined',
    'b/mise.b.toml → b/mise.b.toml.quarantined, and 31 more of mise.*.toml',
  ])
})

test('A11: at most ten are listed one by one', () => {
  expect(asideLines(moved(...numbered(10, (n) => `${n}/.idea`)))).toHaveLength(10)
  expect(asideLines(moved(...numbered(11, (n) => `${n}/.idea`)))).toHaveLength(1)
})

test('A11: of many groups the first twenty are listed', () => {
  const names = rulesOfHost.runLater.filter((each) => each.anyDepth && !each.path.includes('*')).slice(0, 25)
  const lines = asideLines(moved(...names.map((each) => `sub/${each.path}`)))
  expect([lines.length, lines.at(-1)]).toEqual([21, 'and 5 more quarantined'])
})

test('A11: names that the cell chose itself are one group, after the others', () => {
  expect(asideLines(moved(...numbered(30, (n) => `link-${n}`), 'sub/.envrc')).map((each) => each.replace(/.*: /, ''))).toEqual([
    'sub/.envrc → sub/.envrc.quarantined',
    'link-0 → link-0.quarantined, and 29 more of other names',
  ])
})

test('new links to one place share an entry, and many places are counted', () => {
  const links = (count: number) => numbered(count, (n) => `${n}`).map((each) => ({ path: `d/${each}`, target: `/place/${each}` }))
  expect(linkLines(changes({ linksOut: [...links(1), { path: 'e', target: '/place/0' }] }))).toEqual([
    'new links lead out of the project, and programs on your machine follow them: d/0, e → /place/0',
  ])
  expect(linkLines(changes({ linksOut: links(12) }))[0]).toMatch(/, d\/9 → \/place\/9 and 2 more$/)
  expect(linkLines(changes({}))).toEqual([])
})
