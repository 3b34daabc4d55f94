import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { requiredTests } from '../../../src/contest/suite/from-git/compare-runs.ts'
import { packagesFor } from '../../../src/contest/suite/from-git/installed-packages.ts'
import { pastCommits } from '../../../src/contest/suite/from-git/past-commits.ts'
import { roleOf } from '../../../src/contest/suite/from-git/restored-files.ts'
import { runnerOf } from '../../../src/contest/suite/from-git/test-runners.ts'
import { RepositoryCopy } from '../../../src/copy/taking/repository-copy.ts'
import { nodeFiles, pastRepository } from '../../support/past-repository.ts'
import { temporary } from '../../support/temporary.ts'

const run = (outcomes: Readonly<Record<string, string>>, last = '') => ({ outcomes: new Map(Object.entries(outcomes)), last })
const [p, f] = ['passed', 'failed'] as const

test('tests that a fix makes pass and tests that keep passing are required, and unstable ones are not', () => {
  const before = [run({ keep: p, fix: f, odd: p, gone: p, skip: 'skipped' }), run({ keep: p, fix: f, odd: f, gone: p, skip: 'skipped' })]
  const after = [
    run({ keep: p, fix: p, loads: p, odd: p, skip: 'skipped', late: p }),
    run({ keep: p, fix: p, loads: p, odd: p, skip: 'skipped', late: f }),
  ]
  expect(requiredTests(before, after)).toEqual({ fixed: ['fix', 'loads'], kept: ['keep'] })
})

test.each([
  [[run({}, 'sh: 1: go: not found')], [run({}, 'sh: 1: go: not found')], 'its tests give no report here: sh: 1: go: not found'],
  [[run({ a: p })], [run({ a: f })], 'no test passes after it'],
  [[run({ a: p })], [run({ a: p })], 'no test fails before it and passes after it'],
  [[run({ a: f })], [run({ a: p })], 'no test passes before and after it, so a submission that deletes features would pass'],
  [
    [run({ a: f, b: p }), run({ a: p, b: p })],
    [run({ a: p, b: p }), run({ a: p, b: p })],
    'tests have different outcomes on the same files: a',
  ],
])('a commit whose tests do not make a check is left out', (before, after, reason) => {
  expect(requiredTests(before, after)).toEqual({ reason })
})

test('a file is a test, configuration of a runner, a document or source', () => {
  const roles = Object.groupBy(
    [
      ...[
        'test/a.js',
        'src/a.test.ts',
        'src/__tests__/a.tsx',
        'lib/a-test.mjs',
        'tests/data/x.bin',
        'test_a.py',
        'pkg/a_test.py',
        'conftest.py',
        'a_test.go',
      ],
      ...[
        'package.json',
        'packages/x/package.json',
        'vitest.config.ts',
        'jest.config.js',
        'pyproject.toml',
        'a/pytest.ini',
        'go.mod',
        'Cargo.toml',
        'tsconfig.base.json',
      ],
      ...['README.md', 'docs/a.js', 'LICENSE', '.github/workflows/ci.yml'],
      ...['src/a.ts', 'contest/latest.js', 'testing.py', 'attest.go', 'src/protest.py', 'a.json'],
    ],
    roleOf,
  )
  expect(Object.fromEntries(Object.entries(roles).map(([role, files]) => [role, files?.length]))).toEqual({
    test: 9,
    configuration: 9,
    document: 4,
    source: 6,
  })
})

test('the runner follows from the tests that changed and from the manifests', async () => {
  await using root = await temporary()
  const of = async (tests: readonly string[], manifest: object | null, hasPytest = false) => {
    await writeFile(root.at('package.json'), manifest === null ? '' : JSON.stringify(manifest))
    const runner = await runnerOf(root.path, tests, { own: null, hasPytest })
    return runner === null ? null : `${runner.language}, ${runner.name}: ${runner.script.split('\n').at(-1)}`
  }
  expect(await of(['a.test.ts'], { devDependencies: { vitest: '4' } })).toMatch(/^typescript, vitest: node node_modules\/vitest\//)
  expect(await of(['a.test.js'], { dependencies: { jest: '30' } })).toMatch(/^javascript, jest: /)
  const node = 'javascript, node --test: node --test-reporter=junit --test-reporter-destination="$1/report" '
  expect(await of(['a.test.js'], null)).toBe(`${node}--test`)
  expect(await of(['a.test.js'], { scripts: { test: 'node --import ./hooks.js --test --test-reporter=spec test' } })).toMatch(
    / --import .\/hooks.js --test {2}test$/,
  )
  expect(await of(['a.test.js'], { scripts: { test: 'node --test; rm -rf /' } })).toBe(`${node}--test`)
  expect(await of(['tests/test_a.py'], null, true)).toMatch(/^python, pytest: /)
  expect(await of(['tests/test_a.py'], null)).toMatch(/^python, unittest: /)
  expect(await of(['a_test.go'], null)).toBe(null)
  await writeFile(root.at('go.mod'), 'module m\n')
  expect(await of(['a_test.go'], null)).toMatch(/^go, go test: /)
  await writeFile(root.at('Cargo.toml'), '')
  expect(await of(['tests/a.rs'], null)).toMatch(/^rust, cargo test: /)
})

test('packages of a virtual environment need the same lock file, and no editable install', async () => {
  await using root = await temporary()
  const site = root.at('project/.venv/lib/python3.11/site-packages')
  await mkdir(site, { recursive: true })
  for (const each of ['before', 'after']) await mkdir(root.at(each))
  const trees = { before: root.at('before'), after: root.at('after') }
  const wish = () => packagesFor({ packages: '.venv' }, root.at('project'), trees)
  expect(await wish()).toEqual({ reason: 'no lock file shows whether the packages in .venv are the right ones' })
  for (const each of ['project', 'before', 'after']) await writeFile(root.at(each, 'uv.lock'), 'version = 1\n')
  expect(await wish()).toEqual({ directory: '.venv' })
  await writeFile(path.join(site, 'own.pth'), '/home/user/project/src\n')
  expect(await wish()).toEqual({ reason: '.venv is not independent of the project: own.pth leads to a directory elsewhere' })
  await writeFile(root.at('before/uv.lock'), 'version = 2\n')
  expect(await wish()).toEqual({ reason: 'uv.lock differs from the present one, so the packages in .venv may be others' })
  expect(await packagesFor({ packages: null }, root.at('project'), trees)).toEqual({ directory: null })
})

test('a date means its first moment in UTC, whatever the time of day is now', async () => {
  await using root = await temporary()
  const project = pastRepository(root.at('project'))
  project.commit('Old', nodeFiles.before, '2026-01-30T12:00:00Z')
  project.commit('Last moment', { 'a.md': '1' }, '2026-01-30T23:59:59Z')
  project.commit('First moment', { 'a.md': '2' }, '2026-01-31T00:00:00Z')
  project.commit('Fix', nodeFiles.after, '2026-02-01T00:00:00Z')
  const host = { searchPath: '/usr/local/bin:/usr/bin:/bin', signal: new AbortController().signal }
  const repository = await RepositoryCopy.make(project.directory, root.at('copy'), host)
  const since = async (date: string) => {
    const { candidates, leftOut } = await pastCommits(repository, { since: date, most: 5 })
    return [...candidates, ...leftOut].map(({ subject }) => subject)
  }
  expect(await since('2026-01-31')).toEqual(['Fix', 'First moment'])
  expect(await since('2026-01-31T00:00:01Z')).toEqual(['Fix'])
  expect(await since('2026-01-30T23:59:59Z')).toEqual(['Fix', 'First moment', 'Last moment'])
  for (const each of ['2026-13-01', '31.1.2026', '-n1', '--all']) await expect(since(each)).rejects.toMatchObject({ code: 'BAD_INPUT' })
})
