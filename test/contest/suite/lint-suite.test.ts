import { existsSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { lintContest } from '../../../src/contest/lint/lint.ts'
import { layOut } from '../../../src/contest/suite/config/lay-out-suite.ts'
import { readSuite } from '../../../src/contest/suite/config/read-suite.ts'
import { lintSuite } from '../../../src/contest/suite/lint-suite.ts'
import { runsOf } from '../../../src/contest/suite/runs.ts'
import { openSuiteBench, type SuiteBench, shellRole, writeSuite } from '../../support/suite-bench.ts'

/** Returns the findings of `contest lint` on a copy of each brief's contest. */
async function ofCopies(bench: SuiteBench): Promise<unknown[]> {
  const suite = await readSuite(bench.contest)
  const found: unknown[] = []
  for (const { brief } of runsOf(suite)) {
    const at = await mkdtemp(path.join(bench.root, 'copy-'))
    await layOut(suite, brief, at)
    found.push(
      await lintContest(at, bench.deps).then(
        ({ findings }) => [brief.name, findings.map(({ key, message }) => `${key}: ${message}`)],
        (error: Error) => [brief.name, [`brief: ${error.message}`]],
      ),
    )
  }
  return found
}

test('suite lint reports for each brief in place what contest lint reports for its contest, and writes nothing', async () => {
  await using bench = await openSuiteBench()
  const check = { name: 'right', run: ['node', '/inputs/go.mjs'], verify: ['node', '/check/right.mjs'], files: 'right', inputs: 'given' }
  const brief = async (name: string, more: object): Promise<void> => {
    await bench.write(`briefs/${name}/right/right.mjs`, '')
    await bench.write(`briefs/${name}/given/go.mjs`, '')
    await bench.write(`briefs/${name}/raw/secret`, '')
    await bench.write(`briefs/${name}/brief.yaml`, JSON.stringify({ schemaVersion: 1, checks: [check], ...more }))
  }
  const names = ['bad-mask', 'file', 'good', 'large', 'program']
  await writeSuite(
    bench,
    {},
    names,
    { briefs: ['briefs/*', 'link'] },
    {
      participants: [{ ...shellRole('a', 'true'), files: 'agent' }],
      judges: [],
      rubric: undefined,
      mask: ['raw/secret', 'agent/key'],
    },
  )
  await bench.write('agent/key', '')
  await brief('good', { outputs: { required: ['src/'] } })
  await brief('bad-mask', { mask: ['given/none'] })
  await brief('file', { checks: [{ ...check, verify: ['node', '/check/none.mjs'] }] })
  await brief('program', { checks: [{ ...check, run: ['no-such-program'] }] })
  await brief('large', { oracle: 'answer', outputs: { maxBytes: '2B' } })
  await bench.write('briefs/large/answer/x', '12345')
  await symlink('briefs/good', path.join(bench.contest, 'link'))
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: false, only: [] })
  // A copy has the files of its brief in brief/.
  const found = briefs.map(({ brief: name, findings }) => [
    name,
    findings.map(({ key, message }) => `${key}: ${message.replace(/briefs\/[\w-]+/, 'brief')}`),
  ])
  expect(found.map(([, findings]) => findings?.length)).toEqual(names.concat('link').map(() => 1))
  expect(found).toEqual(await ofCopies(bench))
  expect(existsSync(path.join(bench.deps.paths.state, 'scratch'))).toBe(false)
})

test('suite lint names an oracle that is in what participants see', async () => {
  await using bench = await openSuiteBench()
  await writeSuite(bench, { a: 'true' }, ['one'])
  await bench.write('briefs/one/raw/answer/x', '')
  await bench.write('briefs/one/brief.yaml', JSON.stringify({ schemaVersion: 1, oracle: 'raw/answer' }))
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: false, only: [] })
  expect(briefs[0]?.findings[0]?.message).toContain('oracle: participants would see it: they see briefs/one/raw')
})
