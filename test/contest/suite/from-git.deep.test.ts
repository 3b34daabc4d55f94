import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { briefsFromGit, type CommitResult, type FromGitOptions } from '../../../src/contest/suite/from-git/from-git.ts'
import { lintSuite } from '../../../src/contest/suite/lint-suite.ts'
import { nodeFiles, pastRepository } from '../../support/past-repository.ts'
import { openSuiteBench, type SuiteBench, writeSuite } from '../../support/suite-bench.ts'

const usual: FromGitOptions = {
  since: null,
  most: 20,
  own: null,
  repeats: 2,
  history: false,
  parallel: 2,
  done: () => undefined,
}

async function made(bench: SuiteBench, directory: string, options: Partial<FromGitOptions> = {}): Promise<readonly CommitResult[]> {
  return (await briefsFromGit(directory, bench.contest, { ...usual, ...options }, bench.deps)).commits
}

const reasons = (commits: readonly CommitResult[]): Readonly<Record<string, string | null>> =>
  Object.fromEntries(commits.map(({ subject, reason }) => [subject, reason]))

test('a fix with tests becomes a brief that only a fix passes, and every other commit is left out with a reason', {
  timeout: 300_000,
}, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  repository.commit('Begin', nodeFiles.before)
  const fix = repository.commit('fix: sum of nothing\n\nIt threw a TypeError.\n\nSigned-off-by: a <a@example.org>', nodeFiles.after)
  repository.commit('Describe it', { 'README.md': '# sum\n' })
  repository.commit('Test more', { 'test/more.test.js': "import { test } from 'node:test'\ntest('more', () => {})\n" })
  repository.commit('Change without a failing test', {
    'sum.js': `${nodeFiles.after['sum.js']}export const unused = 1\n`,
    'test/more.test.js': null,
  })
  repository.git('checkout', '-q', '-b', 'side', 'HEAD~1')
  repository.commit('On the side', { 'side.js': 'export const side = 1\n' })
  repository.git('checkout', '-q', 'main')
  repository.git('merge', '-q', '--no-ff', '-m', 'Merge the side', 'side')
  const commits = await made(bench, repository.directory)
  expect(reasons(commits)).toEqual({
    Begin: 'it is the first commit',
    'fix: sum of nothing': null,
    'Describe it': 'it changes no tests',
    'Test more': 'it changes only tests, configuration and documents',
    'Change without a failing test': 'no test fails before it and passes after it',
    'On the side': 'it changes no tests',
    'Merge the side': 'it is a merge',
  })
  const brief = `sum-of-nothing-${fix.slice(0, 8)}`
  expect(commits.flatMap((each) => (each.brief === null ? [] : [[each.brief, each.tests]]))).toEqual([[brief, { fixed: 1, kept: 2 }]])
  const at = path.join(bench.contest, 'briefs', brief)
  expect(readdirSync(at).toSorted()).toEqual(['BRIEF.md', 'brief.yaml', 'check', 'oracle', 'start', 'tests'])
  // Participants get the project before the fix, without the history that has it.
  expect(readFileSync(path.join(at, 'start/sum.js'), 'utf8')).toBe(nodeFiles.before['sum.js'])
  expect(existsSync(path.join(at, 'start/.git'))).toBe(false)
  const text = readFileSync(path.join(at, 'BRIEF.md'), 'utf8')
  expect(text).toMatch(/^# fix: sum of nothing\n\nIt threw a TypeError\.\n\nYour working directory/)
  expect(text).not.toContain('Signed-off-by')
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(
    briefs.map(({ findings, tried }) => [findings, tried?.map((each) => [each.empty.result, each.onlyEnds?.result, each.oracle?.result])]),
  ).toEqual([
    [
      [{ level: 'advice', key: 'BRIEF.md', message: expect.stringMatching(/^has only 8 words, from the message of a commit/) }],
      [['failed', 'failed', 'passed']],
    ],
  ])
})

test('a submission cannot pass with other tests, another configuration, or without a feature', { timeout: 300_000 }, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  repository.commit('Begin', nodeFiles.before)
  repository.commit('Fix the sum of nothing', nodeFiles.after)
  await made(bench, repository.directory)
  const [brief = ''] = readdirSync(path.join(bench.contest, 'briefs'))
  const oracle = path.join(bench.contest, 'briefs', brief, 'oracle')
  const passes = async (files: Readonly<Record<string, string>>): Promise<string | undefined> => {
    for (const [name, text] of Object.entries({ ...nodeFiles.before, ...files })) {
      await mkdir(path.dirname(path.join(oracle, name)), { recursive: true })
      await writeFile(path.join(oracle, name), text)
    }
    const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
    return briefs[0]?.tried?.[0]?.oracle?.result
  }
  expect(await passes({})).toBe('failed')
  // Its own tests and configuration are replaced, and further ones are removed.
  const nothing = "import { test } from 'node:test'\nfor (const each of ['adds', 'adds nothing', 'doubles']) test(each, () => {})\n"
  expect(await passes({ 'test/sum.test.js': nothing, 'test/other.test.js': nothing })).toBe('failed')
  expect(await passes({ 'package.json': '{ "type": "module", "scripts": { "test": "true" }, "imports": {} }\n' })).toBe('failed')
  expect(await passes({ 'sum.js': 'export const sum = (list) => list.reduce((a, b) => a + b, 0)\n' })).toBe('failed')
  expect(await passes({ 'sum.js': nodeFiles.after['sum.js'], 'test/sum.test.js': 'syntax error' })).toBe('passed')
})

test('tests of unittest, and a command with a JUnit report, make briefs', { timeout: 300_000 }, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  const python = (more: string): string =>
    `import unittest\nfrom words import first\n\n\nclass Words(unittest.TestCase):\n    def test_first(self):\n        """The first word."""\n        self.assertEqual(first("a b"), "a")\n${more}`
  repository.commit('Begin', {
    'words.py': 'def first(text):\n    return text.split()[0]\n',
    'tests/__init__.py': '',
    'tests/test_words.py': python(''),
  })
  repository.commit('Return an empty word for an empty text', {
    'words.py': 'def first(text):\n    return (text.split() or [""])[0]\n',
    'tests/test_words.py': python('\n    def test_empty(self):\n        self.assertEqual(first(""), "")\n'),
  })
  const [fix] = await made(bench, repository.directory)
  expect([fix?.reason, fix?.tests]).toEqual([null, { fixed: 1, kept: 1 }])
  const own = {
    command: `python3 -B -c 'from words import first
import pathlib
def case(name, ok): return "<testcase name=\\"" + name + "\\">" + ("" if ok else "<failure/>") + "</testcase>"
def works():
    try: return first("") == ""
    except IndexError: return False
pathlib.Path("out.xml").write_text("<testsuite name=\\"w\\">" + case("empty", works()) + case("first", first("a b") == "a") + "</testsuite>")'`,
    report: 'out.xml',
  }
  await using other = await openSuiteBench()
  const [again] = await made(other, repository.directory, { own })
  expect([again?.reason, again?.tests]).toEqual([null, { fixed: 1, kept: 1 }])
  const { briefs } = await lintSuite(other.contest, other.deps, { try: true, only: [] })
  expect(briefs[0]?.tried?.map((each) => [each.empty.result, each.onlyEnds?.result, each.oracle?.result])).toEqual([
    ['failed', 'failed', 'passed'],
  ])
})

test('a commit that keeps nothing, and tests with other results in each run, are left out', { timeout: 300_000 }, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  const only = (name: string, line: string): string =>
    `import { test } from 'node:test'\nimport { ok } from 'node:assert'\ntest('${name}', () => ${line})\n`
  repository.commit('Begin', { 'package.json': '{ "type": "module" }\n', 'a.js': 'export const a = 1\n' })
  repository.commit('Keep nothing', {
    'a.js': 'export const a = 2\n',
    'a.test.js': `import { a } from './a.js'\n${only('a', 'ok(a === 2)')}`,
  })
  // A name that differs in each run is a test that passes in only one of them.
  const other = "import { test } from 'node:test'\ntest(String(Math.random()), () => {})\n"
  repository.commit('Toss', { 'a.js': 'export const a = 3\n', 'a.test.js': only('kept', 'ok(true)'), 'b.test.js': other })
  const found = reasons(await made(bench, repository.directory))
  expect(found['Keep nothing']).toBe('no test passes before and after it, so a submission that deletes features would pass')
  expect(found['Toss']).toMatch(/^tests have different outcomes on the same files: b\.test\.js > test > 0\.\d+, /)
})

test('installed packages are used only with the same lock file, and never with links into the project', { timeout: 300_000 }, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  const manifest = '{ "type": "module", "dependencies": { "zero": "1.0.0" } }\n'
  const uses = (more: string): string => `import zero from 'zero'\n${nodeFiles.before['sum.js'].replace('a + b)', `a + b${more})`)}`
  const start = { ...nodeFiles.before, 'package.json': manifest, 'sum.js': uses(''), '.gitignore': 'node_modules\n' }
  repository.commit('Begin', { ...start, 'package-lock.json': '{ "old": true }\n' })
  repository.commit('Fix with the old lock file', { 'sum.js': uses(', zero'), 'test/sum.test.js': nodeFiles.after['test/sum.test.js'] })
  repository.commit('Break it, with a new lock file', { ...start, 'package-lock.json': '{}\n' })
  repository.commit('Fix with the new lock file', { 'sum.js': uses(', zero'), 'test/sum.test.js': nodeFiles.after['test/sum.test.js'] })
  const packages = path.join(repository.directory, 'node_modules')
  await mkdir(path.join(packages, 'zero'), { recursive: true })
  await mkdir(path.join(packages, '.cache'))
  await writeFile(path.join(packages, 'zero/index.js'), 'export default 0\n')
  await writeFile(path.join(packages, '.cache/kept'), '')
  await writeFile(path.join(packages, 'zero/package.json'), '{ "name": "zero", "type": "module", "main": "index.js" }\n')
  const commits = await made(bench, repository.directory)
  expect(reasons(commits)).toMatchObject({
    'Fix with the old lock file': 'package-lock.json differs from the present one, so the packages in node_modules may be others',
    'Fix with the new lock file': null,
  })
  const [brief = ''] = readdirSync(path.join(bench.contest, 'briefs'))
  expect(readdirSync(path.join(bench.contest, 'briefs', brief, 'raw/node_modules'))).toEqual(['zero'])
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(briefs[0]?.tried?.map((each) => [each.empty.result, each.oracle?.result])).toEqual([['failed', 'passed']])
  await using other = await openSuiteBench()
  await mkdir(path.join(repository.directory, 'packages/own'), { recursive: true })
  await symlink('../packages/own', path.join(packages, 'own'))
  expect(reasons(await made(other, repository.directory))['Fix with the new lock file']).toBe(
    'node_modules is not independent of the project: own is a link',
  )
})

test('with the history, participants get the commits up to the one before the fix, and no object of it', { timeout: 300_000 }, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  const base = repository.commit('Begin', nodeFiles.before)
  const fix = repository.commit('Fix the sum of nothing', nodeFiles.after)
  repository.git('tag', 'v1')
  await made(bench, repository.directory, { history: true })
  const [brief = ''] = readdirSync(path.join(bench.contest, 'briefs'))
  const start = path.join(bench.contest, 'briefs', brief, 'start')
  const inside = (...args: readonly string[]): string => execFileSync('git', ['-C', start, ...args], { encoding: 'utf8' }).trim()
  expect(inside('log', '--all', '--format=%H')).toBe(base)
  expect(inside('status', '--porcelain')).toBe('')
  expect(inside('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n')).not.toContain(fix)
  expect(inside('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  expect(existsSync(path.join(start, '.git/FETCH_HEAD'))).toBe(false)
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(briefs[0]?.tried?.map((each) => [each.empty.result, each.oracle?.result])).toEqual([['failed', 'passed']])
  const fixes = `sed -i 's/a + b)/a + b, 0)/' sum.js`
  await writeSuite(
    bench,
    { reads: `git log --format=%s > log && [ "$(cat log)" = Begin ] && ${fixes}`, idles: 'true' },
    [],
    {},
    { judges: [] },
  )
  const { summary } = await bench.run()
  expect(summary.ranking.map(({ name, passes }) => [name, passes?.hits, passes?.of])).toEqual([
    ['reads', 1, 1],
    ['idles', 0, 1],
  ])
})

test('--since takes a date or a commit, and --most leaves out the rest by name', { timeout: 300_000 }, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  repository.commit('Begin', nodeFiles.before)
  const fix = repository.commit('Fix the sum of nothing', nodeFiles.after)
  repository.commit('Break it', nodeFiles.before)
  repository.commit('Fix it again', nodeFiles.after)
  expect(reasons(await made(bench, repository.directory, { most: 1 }))).toEqual({
    'Fix it again': null,
    'Break it': '--most 1 is reached',
    'Fix the sum of nothing': '--most 1 is reached',
    Begin: 'it is the first commit',
  })
  expect(Object.keys(reasons(await made(bench, repository.directory, { since: fix, most: 0 })))).toEqual(['Fix it again', 'Break it'])
  expect(await made(bench, repository.directory, { since: '2090-01-01' })).toEqual([])
  await expect(made(bench, repository.directory, { since: 'yesterday' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
})

test('a stopped command keeps what it has done, and the next one does not run these tests again', { timeout: 300_000 }, async () => {
  const cancel = new AbortController()
  await using bench = await openSuiteBench({ signal: cancel.signal })
  const repository = pastRepository(path.join(bench.root, 'project'))
  repository.commit('Begin', nodeFiles.before)
  repository.commit('Fix the sum of nothing', nodeFiles.after)
  repository.commit('Change nothing that tests see', {
    'sum.js': `${nodeFiles.after['sum.js']}\n`,
    'test/sum.test.js': `${nodeFiles.after['test/sum.test.js']}\n`,
  })
  repository.commit('Break it', nodeFiles.before)
  const ended: string[] = []
  const options: FromGitOptions = {
    ...usual,
    parallel: 1,
    done: ({ subject }) => {
      ended.push(subject)
      if (ended.length === 2) cancel.abort()
    },
  }
  await expect(briefsFromGit(repository.directory, bench.contest, options, { ...bench.deps, signal: cancel.signal })).rejects.toMatchObject(
    {
      name: expect.stringMatching(/AbortError|PaddockError/),
    },
  )
  expect(ended).toEqual(['Break it', 'Change nothing that tests see'])
  const state = path.join(bench.contest, '.from-git.json')
  expect(Object.values(JSON.parse(await readFile(state, 'utf8')).leftOut)).toHaveLength(2)
  let cells = 0
  const { startCell } = bench.deps
  const counting = {
    ...bench.deps,
    signal: new AbortController().signal,
    startCell: ((...given) => {
      cells += 1
      return startCell(...given)
    }) as typeof startCell,
  }
  const { commits } = await briefsFromGit(repository.directory, bench.contest, { ...usual, parallel: 1 }, counting)
  expect(commits.map(({ brief }) => brief !== null)).toEqual([false, false, true, false])
  // Two rounds, before and after, each in a cell for the tests and in one for their report.
  expect(cells).toBe(8)
  expect(existsSync(state)).toBe(false)
})

test('nothing of a hostile repository runs on the host, and its tests reach nothing outside their cells', {
  timeout: 300_000,
}, async () => {
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  const canary = path.join(bench.root, 'canary')
  const forging = `import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs'
const tried = (act) => { try { act() } catch {} }
for (const each of [${JSON.stringify(canary)}, '/inputs/run.sh', '/check/required.json', '/reward/list.json']) tried(() => appendFileSync(each, 'x'))
tried(() => symlinkSync('/etc/passwd', '/result/passwd'))
process.on('exit', () => writeFileSync('/result/zzz', '<testsuite name="z"><testcase name="forged &#27;[31m"/><testcase name="__proto__"/></testsuite>'))
`
  repository.commit('Begin', { ...nodeFiles.before, '.gitattributes': '* filter=evil diff=evil\n' })
  const subject = 'Fix \u001b[31m../../../etc/cron.d/x; $(touch canary)'
  repository.commit(subject, { ...nodeFiles.after, 'test/sum.test.js': `${forging}${nodeFiles.after['test/sum.test.js']}` })
  // A tree with a path that git itself would not check out.
  const hook = repository.git('hash-object', '-w', 'sum.js')
  const hooks = execFileSync('git', ['-C', repository.directory, 'mktree'], {
    input: `100755 blob ${hook}\tpost-checkout\n`,
    encoding: 'utf8',
  }).trim()
  const tree = execFileSync('git', ['-C', repository.directory, 'mktree'], {
    input: `${repository.git('ls-tree', 'HEAD~1')}\n040000 tree ${hooks}\t.git\n`,
    encoding: 'utf8',
  }).trim()
  repository.git('update-ref', 'HEAD', repository.git('commit-tree', '-p', 'HEAD', '-m', 'Break it, with a hook', tree))
  for (const [key, value] of Object.entries({
    'core.fsmonitor': `touch ${canary}`,
    'core.hooksPath': path.join(repository.directory, '.git/hooks'),
    'core.pager': `touch ${canary}`,
    'filter.evil.smudge': `touch ${canary}`,
    'filter.evil.clean': `touch ${canary}`,
    'diff.evil.textconv': `touch ${canary}`,
    'diff.external': `touch ${canary}`,
    'uploadpack.packObjectsHook': `touch ${canary}`,
    'core.alternateRefsCommand': `touch ${canary}`,
  }))
    repository.git('config', key, value)
  for (const each of ['post-checkout', 'reference-transaction', 'pre-auto-gc'])
    await writeFile(path.join(repository.directory, '.git/hooks', each), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 })
  const commits = await made(bench, repository.directory, { history: true })
  expect(existsSync(canary)).toBe(false)
  // The subject has no control characters, because it becomes part of a prompt.
  const fix = commits.find((each) => each.subject === subject.replace('\u001b', ''))
  expect(reasons(commits)['Break it, with a hook']).toBe('.git/post-checkout not copied: the paths lead elsewhere')
  expect(fix?.reason).toBe(null)
  expect(fix?.brief).toMatch(/^fix-31m-etc-cron-d-x-touch-canary-[0-9a-f]{8}$/)
  // What the tests forged passes before and after the fix, so it is only one more test to keep.
  expect(fix?.tests).toEqual({ fixed: 1, kept: 4 })
  expect(readdirSync(bench.contest).toSorted()).toEqual(['briefs', 'suite.yaml'])
  const start = path.join(bench.contest, 'briefs', fix?.brief ?? '', 'start')
  expect(readFileSync(path.join(start, '.git/config'), 'utf8')).not.toContain('evil')
  expect(existsSync(path.join(start, '.git/hooks'))).toBe(false)
})

test('tests of pytest run with the packages of .venv', { timeout: 300_000 }, async ({ skip }) => {
  const found = spawnSync('python3', ['-c', 'import pytest; print(pytest.__file__)'], { encoding: 'utf8', cwd: '/' }).stdout.trim()
  skip(found === '', 'pytest is not installed')
  const version = execFileSync('/usr/bin/python3', ['-c', 'import sys; print("python%d.%d" % sys.version_info[:2])'], {
    encoding: 'utf8',
  }).trim()
  await using bench = await openSuiteBench()
  const repository = pastRepository(path.join(bench.root, 'project'))
  const test_ = (more: string): string =>
    `import pytest\nfrom words import first\n\n\n@pytest.mark.parametrize("text", ["a b", " a"])\ndef test_first(text):\n    assert first(text) == "a"\n${more}`
  repository.commit('Begin', {
    '.gitignore': '.venv\n',
    'requirements.txt': 'pytest\n',
    'src/words.py': 'def first(text):\n    return text.split()[0]\n',
    'tests/test_words.py': test_(''),
  })
  repository.commit('Return an empty word for an empty text', {
    'src/words.py': 'def first(text):\n    return (text.split() or [""])[0]\n',
    'tests/test_words.py': test_('\n\ndef test_empty():\n    assert first("") == ""\n'),
  })
  const packages = path.join(repository.directory, '.venv')
  const site = path.join(packages, 'lib', version, 'site-packages')
  await mkdir(site, { recursive: true })
  await mkdir(path.join(packages, 'bin'))
  await writeFile(path.join(packages, 'pyvenv.cfg'), 'home = /usr/bin\n')
  await symlink('/usr/bin/python3', path.join(packages, 'bin/python'))
  const from = path.dirname(path.dirname(found))
  for (const each of ['pytest', '_pytest', 'py.py', 'pluggy', 'iniconfig', 'packaging', 'pygments'])
    if (existsSync(path.join(from, each))) await cp(path.join(from, each), path.join(site, each), { recursive: true })
  const [fix] = await made(bench, repository.directory)
  expect([fix?.reason, fix?.tests]).toEqual([null, { fixed: 1, kept: 2 }])
  const required = path.join(bench.contest, 'briefs', fix?.brief ?? '', 'check/required.json')
  expect(JSON.parse(await readFile(required, 'utf8'))).toEqual([
    'pytest > tests.test_words > test_empty',
    'pytest > tests.test_words > test_first[ a]',
    'pytest > tests.test_words > test_first[a b]',
  ])
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(briefs[0]?.tried?.map((each) => [each.empty.result, each.onlyEnds?.result, each.oracle?.result])).toEqual([
    ['failed', 'failed', 'passed'],
  ])
})
