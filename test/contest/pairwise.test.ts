import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dealLabels } from '../../src/contest/judging/labels.ts'
import type { Task } from '../../src/contest/judging/mapping.ts'
import { repeatedVerdict } from '../../src/contest/judging/repeated-scores.ts'
import { parseVerdict } from '../../src/contest/judging/verdicts.ts'
import { comparedOf, meetingOf } from '../../src/contest/ranking/compared-pairs.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { evenJudge, openBench, writeContest } from '../support/contest-bench.ts'

const submissionsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ participant: `p${index}`, tree: `t${index}` }))
const judgesOf = (count: number) => Array.from({ length: count }, (_, index) => `j${index}`)
const deal = (count: number, judges: number, comparisons?: number): readonly Task[] =>
  dealLabels({ judging: 1, round: 1 }, submissionsOf(count), judgesOf(judges), {
    mode: 'pairwise',
    comparisons,
    repeats: 1,
    controls: false,
    isApart: () => false,
  }).tasks

const shownOf = ({ labels, order }: Task): string[] => order.map((label) => labels[label] ?? '')

describe('which pairs are dealt', () => {
  test.each([2, 3, 6])('of %i submissions each judge gets every pair, in both orders', (count) => {
    const tasks = deal(count, 2)
    expect(tasks).toHaveLength(2 * count * (count - 1))
    for (const judge of judgesOf(2)) {
      const shown = tasks.filter((task) => task.judge === judge).map((task) => shownOf(task).join(' '))
      expect(new Set(shown).size).toBe(count * (count - 1))
    }
    expect(new Set(tasks.map(({ judge, id }) => `${judge} ${id}`)).size).toBe(tasks.length)
  })

  test('of more, all meet equally often but for one time, are connected, and each pair is in both orders', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 14 }), fc.integer({ min: 1, max: 4 }), (count, judges) => {
        const tasks = deal(count, judges)
        expect(tasks).toHaveLength(2 * judges * 15)
        const times = submissionsOf(count).map(({ participant }) => tasks.filter((task) => shownOf(task).includes(participant)).length / 2)
        expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1)
        const shown = new Set(tasks.map((task) => `${task.judge} ${shownOf(task).join(' ')}`))
        for (const task of tasks) expect(shown).toContain(`${task.judge} ${shownOf(task).toReversed().join(' ')}`)
        const joined = new Set(['p0'])
        for (let size = 0; size < joined.size; ) {
          size = joined.size
          for (const pair of tasks.map(shownOf)) if (pair.some((name) => joined.has(name))) for (const name of pair) joined.add(name)
        }
        expect(joined.size).toBe(count)
      }),
      { numRuns: 60 },
    )
  })

  test('judges get different pairs if there are few', () => {
    const pairs = deal(8, 2, 8).map((task) => `${task.judge} ${shownOf(task).toSorted().join(' ')}`)
    const of = (judge: string) => new Set(pairs.filter((each) => each.startsWith(judge)).map((each) => each.slice(judge.length)))
    expect([...of('j0')].filter((each) => of('j1').has(each)).length).toBeLessThan(4)
  })

  test('labels say nothing of the order', () => {
    const first = Array.from({ length: 200 }, () => deal(2, 1)[0]?.order[0])
    const share = first.filter((label) => label === 'A').length / first.length
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.7)
  })
})

describe('verdict.json', () => {
  const read = (text: string) => parseVerdict(Buffer.from(text), { labels: ['B', 'A'], dimensions: ['quality'] })
  test('names a label or a tie', () => {
    expect(read('{"better":"A","why":"x"}')).toEqual({ ok: true, verdict: { better: 'A', why: 'x', citations: [] } })
    expect(read('{"better":"tie"}')).toEqual({ ok: true, verdict: { better: 'tie', why: null, citations: [] } })
  })
  test.each([
    ['{"better":"C"}', 'better is "C", which is none of B, A, tie'],
    ['{"better":1}', 'better must be one of B, A, tie, not a number'],
    ['{"why":"x"}', 'verdict.json is missing better'],
    ['{"better":"A","better":"B"}', 'verdict.json has the key "better" twice in one object'],
    ['{"better":"A","by":"me"}', 'verdict.json has "by", which is not expected'],
    ['[]', 'verdict.json must be an object, not a list'],
    ['', 'verdict.json is empty'],
  ])('%s is refused', (text, problem) => {
    expect(read(text)).toEqual({ ok: false, problem })
  })
  test('the last object of a message counts', () => {
    expect(repeatedVerdict('first {"better":"A"}, no: ```json\n{"why":"it is","better":"B"}\n```')).toBe('B')
    expect(repeatedVerdict('A is better')).toBeNull()
  })
})

test('both orders are one comparison, and a single order is not a comparison', () => {
  const pair = (first: string, second: string, better: string | null) => ({ judge: 'j', first, second, better, why: null, labels: {} })
  const of = (one: string | null, other: string | null) =>
    comparedOf([pair('x', 'y', one), pair('y', 'x', other)]).map(({ score }) => score)
  expect([of('x', 'x'), of('x', null), of('x', 'y'), of(null, null), of('y', null), of('y', 'y')].flat()).toEqual([
    1, 0.75, 0.5, 0.5, 0.25, 0,
  ])
  expect(comparedOf([pair('x', 'y', 'x')])).toEqual([])
  expect(meetingOf('y', 'x', comparedOf([pair('x', 'y', 'x'), pair('y', 'x', 'y')]))).toEqual({ comparisons: 1, won: 0.5, flips: 1 })
})

/** A judge that prefers the longer submission. */
const longer = `node -e '
  const { readFileSync, writeFileSync } = require("node:fs")
  const { mode, order, scale } = JSON.parse(readFileSync("/contest/TASK.json", "utf8"))
  const size = (label) => readFileSync("/contest/submissions/" + label + "/a", "utf8").length
  const [one, other] = order
  if (mode !== "pairwise" || order.length !== 2 || scale.max !== 5) process.exit(1)
  writeFileSync("/contest/outbox/verdict.json", JSON.stringify({ better: size(one) === size(other) ? "tie" : size(one) > size(other) ? one : other, why: one + " came first" }))
'`
/** A judge that prefers the submission that it sees first. */
const first = `node -e '
  const { readFileSync, writeFileSync } = require("node:fs")
  const { order } = JSON.parse(readFileSync("/contest/TASK.json", "utf8"))
  writeFileSync("/contest/outbox/verdict.json", JSON.stringify({ better: order[0] }))
'`
const participants = { short: 'printf 1 > a', middle: 'printf 22 > a', long: 'printf 333 > a' }

test('judges compare pairs in cells of their own, and the report says who beats whom', async () => {
  await using bench = await openBench()
  await writeContest(bench, participants, { one: longer, two: longer, three: longer, biased: first }, { judging: { mode: 'pairwise' } })
  const { summary, files } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map(({ name, rank }) => [name, rank])).toEqual([
    ['long', 1],
    ['middle', 2],
    ['short', 3],
  ])
  expect(summary.pairs).toHaveLength(4 * 6)
  expect(summary.rankedBy).toBe('judges')
  expect(summary.judges.map(({ name, state, card }) => [name, state, card?.position?.consistency, card?.position?.bias])).toEqual([
    ['one', 'scored', 1, 0],
    ['two', 'scored', 1, 0],
    ['three', 'scored', 1, 0],
    ['biased', 'scored', 0, 1],
  ])
  expect(summary.verdict).toMatchObject({ clusters: { by: 'judges', count: 4 } })
  const board = await readFile(files.leaderboard, 'utf8')
  expect(board).toContain('| **long** |')
  expect(board).toMatch(/\| long \| – \| 88% \(1 of 4 depend on the order\) \| 88% \(1 of 4 depend on the order\) \|/)
  expect(summary.notes).toContain(
    'A score is the share of comparisons that a submission wins, in percent: 12 comparisons, each in both orders.',
  )
  const page = await readFile(files.html, 'utf8')
  expect(page).toContain('Who beats whom')
  const tasks = path.join(bench.contest, 'judging/1/one/tasks')
  const record = JSON.parse(await readFile(path.join(tasks, 'pair-1-1/judge.json'), 'utf8')) as unknown
  expect(record).toMatchObject({ prompt: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }, given: { length: 3 } })
  expect((await readdir(tasks)).toSorted()).toEqual(['pair-1-1', 'pair-1-2', 'pair-2-1', 'pair-2-2', 'pair-3-1', 'pair-3-2'])
})

test('a failed pair is asked again by itself, without the others', async () => {
  await using bench = await openBench()
  // Fails for one pair, in both orders and under any labels, until a file exists.
  const moody = `case "$(cat /contest/submissions/*/a)" in 1333|3331) test -e /agent/well || exit 1;; esac; ${longer}`
  await bench.write('moods/here', '')
  const judges = [{ name: 'moody', agent: 'command', command: ['sh', '-c', moody], files: 'moods' }]
  await writeContest(bench, participants, {}, { judging: { mode: 'pairwise' }, judges })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.judges[0]?.state).toBe('failed')
  expect(summary.pairs).toHaveLength(4)
  await bench.write('moods/well', '')
  const again = await runContest(bench.contest, bench.deps, { retry: true })
  expect(again.summary.pairs).toHaveLength(6)
  expect(again.summary.judges[0]?.state).toBe('scored')
  const started = bench.events.filter(({ type }) => type === 'started').length
  // Three participants, six pairs, and two retries of each pair that failed: one at once, and one later.
  expect(started).toBe(3 + 6 + 2 * 2)
})

test('both: a rubric for its dimensions, pairs for the order', async () => {
  await using bench = await openBench()
  const both = `if test -e /contest/submissions/C; then ${evenJudge(3)}; else ${longer}; fi`
  await writeContest(bench, participants, { one: both, two: both, three: both }, { judging: { mode: 'both' } })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map(({ name, judgements }) => [name, judgements.length])).toEqual([
    ['long', 3],
    ['middle', 3],
    ['short', 3],
  ])
  expect(summary.ranking[0]?.strength?.unit).toBe('log odds')
  expect(summary.verdict?.leader).toBeNull()
  expect(summary.agreement).toHaveLength(1)
})
