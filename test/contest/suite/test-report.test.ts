import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../../support/temporary.ts'

const program = path.join(import.meta.dirname, '../../../src/contest/suite/from-git/test-report.mjs')

async function listed(format: string, ...reports: readonly string[]): Promise<{ problem: string | null; outcomes: object }> {
  await using root = await temporary()
  mkdirSync(root.at('result'))
  for (const [at, text] of reports.entries()) writeFileSync(root.at('result', String(at)), text)
  execFileSync(process.execPath, [program, 'list', format, root.at('result'), root.at('out')])
  return JSON.parse(readFileSync(root.at('out'), 'utf8'))
}

test('a JUnit report of node --test', async () => {
  const report = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
	<testsuite name="math &amp; &lt;more>" tests="3" hostname="vm">
		<testcase name="adds" classname="math &amp; &lt;more>" file="/submission/test/a.test.js"/>
		<testcase name="fails" classname="math &amp; &lt;more>" file="/submission/test/a.test.js" failure="1 == 2">
			<failure type="testCodeFailure" message="<testcase name='no'/>">
&lt;testcase name="forged"/> <![CDATA[<testcase name="forged"/>]]> <!-- <testcase name="forged"/> -->
			</failure>
		</testcase>
		<testcase name="later" classname="math &amp; &lt;more>" file="/submission/test/a.test.js"><skipped type="todo" message="true"/></testcase>
	</testsuite>
	<testcase name="top" classname="test" file="/submission/test/b.test.js"/>
</testsuites>`
  expect(await listed('junit', report)).toEqual({
    problem: null,
    outcomes: {
      'test/a.test.js > math & <more> > adds': 'passed',
      'test/a.test.js > math & <more> > fails': 'failed',
      'test/a.test.js > math & <more> > later': 'skipped',
      'test/b.test.js > test > top': 'passed',
    },
  })
})

test('a JUnit report of pytest', async () => {
  const report = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" tests="3"><testcase classname="tests.test_a.T" name="test_a[x-&#x27;y&#x27;]" time="0.001" /><testcase classname="tests.test_a.T" name="test_b"><failure message="AssertionError: x">self = 1</failure></testcase><testcase classname="tests.test_a" name="test_c"><error message="no" /></testcase></testsuite></testsuites>`
  expect((await listed('junit', report)).outcomes).toEqual({
    "pytest > tests.test_a.T > test_a[x-'y']": 'passed',
    'pytest > tests.test_a.T > test_b': 'failed',
    'pytest > tests.test_a > test_c': 'failed',
  })
})

test('the JSON of jest and vitest', async () => {
  const one = (title: string, status: string) => ({ ancestorTitles: ['math'], title, status })
  const report = {
    testResults: [
      { name: '/submission/src/a.test.ts', assertionResults: [one('adds', 'passed'), one('fails', 'failed'), one('later', 'pending')] },
    ],
  }
  expect((await listed('jest', JSON.stringify(report))).outcomes).toEqual({
    'src/a.test.ts > math > adds': 'passed',
    'src/a.test.ts > math > fails': 'failed',
    'src/a.test.ts > math > later': 'skipped',
  })
})

test('the lines of go test -json, and the text of cargo test', async () => {
  const lines = [
    '{"Action":"start","Package":"example.org/m"}',
    '{"Action":"output","Package":"example.org/m","Test":"TestA","Output":"{\\"Action\\":\\"pass\\"}"}',
    '{"Action":"pass","Package":"example.org/m","Test":"TestA/sub_1"}',
    '{"Action":"fail","Package":"example.org/m","Test":"TestA"}',
    '{"Action":"skip","Package":"example.org/m","Test":"TestB"}',
    '{"Action":"fail","Package":"example.org/m"}',
    '# example.org/other [build failed]',
  ]
  expect((await listed('go', lines.join('\n'))).outcomes).toEqual({
    'example.org/m > TestA/sub_1': 'passed',
    'example.org/m > TestA': 'failed',
    'example.org/m > TestB': 'skipped',
  })
  const text = `   Compiling m v0.1.0
     Running unittests src/lib.rs (/tmp/target/debug/deps/m-0f3a)
running 2 tests
test tests::adds ... ok
test tests::panics - should panic ... FAILED
     Running tests/whole.rs (/tmp/target/debug/deps/whole-1b)
test adds ... ignored, too slow
   Doc-tests m
test src/lib.rs - add (line 3) ... ok
`
  expect((await listed('cargo', text)).outcomes).toEqual({
    'src/lib.rs > tests::adds': 'passed',
    'src/lib.rs > tests::panics': 'failed',
    'tests/whole.rs > adds': 'skipped',
    'm > src/lib.rs - add (line 3)': 'passed',
  })
})

test('of several tests with one name, the worst counts, and a report that cannot be read has no tests that pass', async () => {
  const one = (more: string): string => `<testsuite name="s"><testcase name="a"${more}</testsuite>`
  for (const order of [
    ['/>', '><failure/></testcase>'],
    ['><failure/></testcase>', '/>'],
  ])
    expect((await listed('junit', ...order.map(one))).outcomes).toEqual({ 's > a': 'failed' })
  expect(await listed('jest', '{')).toEqual({ problem: expect.stringMatching(/JSON/), outcomes: {} })
  expect(await listed('junit')).toEqual({ problem: null, outcomes: {} })
})

test('verify passes only if each required test passed, and names the others', async () => {
  await using root = await temporary()
  mkdirSync(root.at('result'))
  writeFileSync(root.at('result/report'), JSON.stringify({ a: 'passed', b: 'failed', c: 'skipped' }))
  const verified = (required: readonly string[], format = 'outcomes'): [number | null, string] => {
    writeFileSync(root.at('required.json'), JSON.stringify(required))
    const { status, stdout } = spawnSync(process.execPath, [program, 'verify', format, root.at('result'), root.at('required.json')], {
      encoding: 'utf8',
    })
    return [status, stdout]
  }
  expect(verified(['a'])).toEqual([0, ''])
  expect(verified(['a', 'b', 'c', 'd'])).toEqual([1, 'failed: b\nskipped: c\nnot run: d\n'])
  expect(verified(['a', '__proto__'])).toEqual([1, 'not run: __proto__\n'])
  writeFileSync(root.at('result/second'), 'no JSON')
  expect(verified(['a'])[0]).toBe(1)
})
