import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import type { ContestDeps } from '../../../src/contest/state/contest-deps.ts'
import { type Bench, evenJudge, openBench, writeContest } from '../../support/contest-bench.ts'
import { sealedFile } from '../../support/sealed-files.ts'

/** A CLI that costs 40 cents per run. While /agent/limited exists, it is limited for as many seconds as that file says. */
const fakeClaude = `#!/bin/sh
cat > /dev/null
if [ -f /agent/limited ]; then
  printf '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":%s}}\\n' $(($(date +%s) + $(cat /agent/limited)))
  printf '{"type":"result","subtype":"success","is_error":true,"result":"You have hit your limit","total_cost_usd":0.1}\\n'
  exit 1
fi
if [ -d /contest/submissions ]; then
  printf '{"scores":{"A":{"quality":3}}}' > /contest/outbox/scores.json
  said='{\\\\"scores\\\\":{\\\\"A\\\\":{\\\\"quality\\\\":3}}}'
else echo done > /contest/out/answer.txt; said=done; fi
printf '{"type":"result","subtype":"success","is_error":false,"result":"%s","total_cost_usd":0.4}\\n' "$said"
`

interface Fake {
  readonly bench: Bench
  run(options?: object): ReturnType<typeof runContest>
}

async function withClaude(participants: readonly string[], judges: readonly string[], more: object): Promise<Fake> {
  const bench = await openBench()
  const program = path.join(bench.root, 'claude')
  writeFileSync(program, fakeClaude)
  chmodSync(program, 0o755)
  await bench.write('script/readme', '')
  const one = (name: string): object => ({ name, agent: 'claude', credentials: 'none', egress: { policy: 'off' }, files: 'script' })
  const config = { participants: participants.map(one), judges: judges.map(one), judging: { policy: 'allow-self' }, parallel: 1, ...more }
  await writeContest(bench, {}, {}, config)
  const mounts = [{ source: program, target: '/tool/claude', access: 'ro' as const }]
  // The limit ends after the first run, however long that takes.
  const progress: ContestDeps['progress'] = (event) => {
    bench.deps.progress(event)
    if (event.type === 'ended') rmSync(path.join(bench.contest, 'script/limited'), { force: true })
  }
  const deps = {
    ...bench.deps,
    progress,
    installation: async () => ({ program: '/tool/claude', mounts, pathEntries: [], version: '9.9.9' }),
  }
  return { bench, run: (options) => runContest(bench.contest, deps, options) }
}

describe('waitForLimits', () => {
  test.each([
    [['one'], []],
    [['one'], ['judge']],
  ] as const)('%j and %j: a rate-limited run is repeated when the limit ends', async (participants, judges) => {
    const { bench, run } = await withClaude(participants, judges, {
      waitForLimits: '10m',
      ...(judges.length > 0 ? {} : { rubric: undefined, checks: [{ name: 'c', command: 'cat answer.txt' }] }),
    })
    await using _ = bench
    await bench.write('script/limited', '1')
    const { summary } = await run()
    expect(bench.events.filter((each) => each.type === 'waits')).toMatchObject([{ role: 'participant', name: 'one' }])
    expect(summary.ranking).toMatchObject([{ name: 'one', attempts: 2, costUsd: 0.5, version: '9.9.9' }])
    // The files of the limited attempt were searched for files to quarantine, too.
    expect(readFileSync(path.join(bench.contest, 'rounds/1/one/attempts/1/quarantined.json'), 'utf8')).toContain('[')
  })

  test('the command line says it in place of contest.yaml, also where that is silent', async () => {
    const { bench, run } = await withClaude(['one'], [], { rubric: undefined, checks: [{ name: 'c', command: 'cat answer.txt' }] })
    await using _ = bench
    await bench.write('script/limited', '1')
    const { summary } = await run({ waitForLimits: 600_000 })
    expect(summary.ranking).toMatchObject([{ name: 'one', attempts: 2 }])
  })

  test('a limit that ends later than it would wait for is not waited for', async () => {
    const { bench, run } = await withClaude(['one'], [], {
      waitForLimits: '5s',
      rubric: undefined,
      checks: [{ name: 'c', command: 'true' }],
    })
    await using _ = bench
    await bench.write('script/limited', '3600')
    const { summary } = await run()
    expect(bench.events.some((each) => each.type === 'waits')).toBe(false)
    expect(summary.notRanked).toMatchObject([{ name: 'one', outcome: { kind: 'rate-limited' } }])
  })
})

test('budget: once it is spent no agent is started, and with a higher one the contest goes on', async () => {
  const { bench, run } = await withClaude(['one', 'two', 'three'], ['judge'], { budget: 0.5 })
  await using _ = bench
  const { summary } = await run()
  expect(summary.ranking.map(({ name }) => name)).toEqual(['one', 'two'])
  expect(summary.notRanked).toMatchObject([{ name: 'three', attempts: 0 }])
  const warnings = bench.events.flatMap((each) => (each.type === 'warning' ? [each.message] : []))
  const spent = 'the budget of $0.50 is spent ($0.80), so no more agents start; with a higher budget the contest continues'
  // The judge is not asked as long as a participant is left out for money, because it would be asked again.
  expect(warnings).toEqual([spent])
  const file = path.join(bench.contest, 'contest.yaml')
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), budget: 5 }))
  const again = await run()
  expect(again.summary.ranking.map(({ name, attempts }) => `${name} ${attempts}`).toSorted()).toEqual(['one 1', 'three 1', 'two 1'])
})

test('budget: the caller can lower that of contest.yaml, and not raise it', async () => {
  const { bench, run } = await withClaude(['one', 'two', 'three'], ['judge'], { budget: 0.5 })
  await using _ = bench
  const ranked = async (budget: number): Promise<readonly string[]> =>
    (await run({ budget, fresh: true })).summary.ranking.map(({ name }) => name)
  expect(await ranked(0.1)).toEqual(['one'])
  expect(await ranked(100)).toEqual(['one', 'two'])
})

describe('partial', () => {
  const slow = { one: 'echo half > answer.txt; sleep 600', two: 'echo whole > answer.txt', three: 'sleep 600' }
  const judge = { judge: evenJudge(3) }
  const timeouts = { participant: '1s' }

  test('judge: what was there when the time was over is judged, and marked', async () => {
    await using bench = await openBench()
    await writeContest(bench, slow, judge, { partial: 'judge', timeouts })
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.ranking.map(({ name, score, outcome }) => [name, score, outcome.isPartial ?? false])).toEqual([
      ['one', 50, true],
      ['two', 50, false],
    ])
    expect(sealedFile(bench.contest, 'one', 'answer.txt')).toBe('half\n')
    expect(summary.notRanked).toMatchObject([{ name: 'three', failedToRun: false, outcome: { kind: 'incomplete' } }])
    expect(readFileSync(path.join(bench.contest, 'report/leaderboard.md'), 'utf8')).toContain(
      'delivered, but it ran out of time, and its work up to then counts',
    )
  })

  test('leave by default', async () => {
    await using bench = await openBench()
    await writeContest(bench, slow, judge, { timeouts })
    const { summary } = await runContest(bench.contest, bench.deps)
    expect(summary.ranking.map(({ name }) => name)).toEqual(['two'])
    expect(summary.notRanked.map(({ outcome }) => outcome?.kind)).toEqual(['out-of-time', 'out-of-time'])
  })
})
