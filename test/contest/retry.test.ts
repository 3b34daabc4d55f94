import { chmod } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { type Bench, evenJudge, openBench, writeContest } from '../support/contest-bench.ts'

const started = (bench: Bench): string[] => bench.events.flatMap((each) => (each.type === 'started' ? [each.name] : []))

const result = (more: object): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', total_cost_usd: 0.25, modelUsage: {}, ...more })
const outage = { is_error: true, api_error_status: 500, terminal_reason: 'api_error', result: 'API Error: 500 Internal server error' }

/** A program with claude's output format. Its API fails half-way until raw/ contains a file `up`. */
const halfway = `#!/bin/sh
echo half > RESULT.md
[ ! -e /contest/raw/up ] || { echo '${result({})}'; exit 0; }
echo '${result(outage)}'
exit 1
`

async function openHalfway(): Promise<Bench> {
  const bench: Bench = await openBench({
    installation: async ({ name }) => {
      const program = path.join(bench.contest, 'program')
      const mounts = name === 'claude' ? [{ source: program, target: program, access: 'ro', reason: 'agent' } as const] : []
      return { program, mounts, pathEntries: [], version: null }
    },
  })
  await bench.write('raw/README', 'x')
  await bench.write('program', halfway)
  await chmod(path.join(bench.contest, 'program'), 0o755)
  return bench
}

const claude = { name: 'claude', agent: 'claude', env: ['ANTHROPIC_API_KEY=worthless'], egress: { policy: 'off' } }
const other = { name: 'other', agent: 'command', command: ['sh', '-c', 'echo whole > RESULT.md'] }

test('3: an outage half-way is not a bad score: not ranked, with its cause and cost, and run again by --retry', async () => {
  await using bench = await openHalfway()
  await writeContest(bench, {}, { judge: evenJudge(5) }, { participants: [claude, other] })
  const before = (await runContest(bench.contest, bench.deps)).summary
  expect(before.ranking.map((each) => each.name)).toEqual(['other'])
  expect(before.notRanked).toMatchObject([
    {
      name: 'claude',
      failedToRun: true,
      costUsd: 0.25,
      outcome: {
        kind: 'endpoint-failed',
        exitCode: 1,
        message: 'the model endpoint failed (claude reported: API Error: 500 Internal server error); it ended with exit code 1',
        hint: 'run again later with --retry',
      },
    },
  ])

  bench.events.length = 0
  await bench.write('raw/up', '')
  const { summary } = await runContest(bench.contest, bench.deps, { retry: true })
  expect(started(bench)).toEqual(['claude', 'judge'])
  expect(summary.ranking.map((each) => [each.name, each.costUsd])).toEqual([
    ['claude', 0.5],
    ['other', null],
  ])
  expect(summary.notes).toContain('The cost of claude includes $0.25 of earlier attempts.')
})

test('3: a judge whose API failed has no scores, and is asked again by --retry', async () => {
  await using bench = await openHalfway()
  await writeContest(bench, { one: 'echo 1 > a' }, {}, { judges: [{ ...claude, name: 'judge' }] })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.judges).toMatchObject([{ state: 'failed', costUsd: 0.25, why: expect.stringMatching(/^the model endpoint failed/) }])
  bench.events.length = 0
  const again = await runContest(bench.contest, bench.deps, { retry: true })
  expect(started(bench)).toEqual(['judge'])
  expect(again.summary.judges).toMatchObject([{ attempts: 2, costUsd: 0.5 }])
  expect(again.summary.notes).toContain('The cost of judge includes $0.25 of earlier attempts.')
})

test('3: --only runs one participant or judge again whatever its outcome, and no other', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    { good: 'echo x >> a; date +%N >> a', bad: 'exec sleep 99' },
    { judge: evenJudge(4), second: evenJudge(3) },
    {
      timeouts: { participant: '1s' },
    },
  )
  await runContest(bench.contest, bench.deps)
  bench.events.length = 0
  await runContest(bench.contest, bench.deps, { retry: true, only: 'second' })
  expect(started(bench)).toEqual(['second'])
  bench.events.length = 0
  const { summary } = await runContest(bench.contest, bench.deps, { retry: true, only: 'good' })
  expect(started(bench)[0]).toBe('good')
  expect(started(bench)).not.toContain('bad')
  expect(summary.ranking.map((each) => each.name)).toEqual(['good'])
  // The submissions that the judges had seen no longer exist.
  expect(started(bench).toSorted()).toEqual(['good', 'judge', 'second'])
})

test('3: --only with an unknown name, or without --retry, runs nothing', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'echo 1 > a' }, {}, { checks: [{ name: 'there', command: 'true' }] })
  await expect(runContest(bench.contest, bench.deps, { retry: true, only: 'onee' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: '--only onee: this contest has no participant or judge of that name.',
    hint: 'Did you mean one?',
  })
  await expect(runContest(bench.contest, bench.deps, { only: 'one' })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: '--only requires --retry.',
  })
  expect(started(bench)).toEqual([])
})
