import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dealLabels } from '../../src/contest/judging/labels.ts'
import type { Mapping, Task } from '../../src/contest/judging/mapping.ts'
import { plantOrder } from '../../src/contest/judging/plant-order.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'
import { temporary } from '../support/temporary.ts'

const submissionsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ participant: `p${index}`, tree: `t${index}` }))
const judgesOf = (count: number) => Array.from({ length: count }, (_, index) => `j${index}`)
const deal = (mode: Mapping['mode'], submissions: number, judges: number, repeats = 1): readonly Task[] =>
  dealLabels({ judging: 1, round: 1 }, submissionsOf(submissions), judgesOf(judges), {
    mode,
    repeats,
    controls: true,
    isApart: () => false,
  }).tasks

describe('the work that judges get', () => {
  test('over repeats everybody is first, and last, as often as others but for one time; three controls are among them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 4 }),
        (count, judges, repeats) => {
          const tasks = deal('rubric', count, judges, repeats)
          const ranked = tasks.filter(({ control }) => !control)
          expect(ranked).toHaveLength(judges * repeats)
          for (const place of [0, -1]) {
            const shown = ranked.map(({ order, labels }) => labels[order.at(place) ?? ''])
            const times = submissionsOf(count).map(({ participant }) => shown.filter((each) => each === participant).length)
            expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1)
          }
          for (const judge of judgesOf(judges)) {
            const own = tasks.filter((each) => each.judge === judge)
            expect(own.map(({ id }) => id).toSorted()).toEqual(
              Array.from({ length: repeats + 3 }, (_, index) => String(index + 1)).toSorted(),
            )
            const controls = own.filter((each) => each.control)
            expect(controls).toHaveLength(3)
            for (const { altered } of controls) expect(Object.values(altered).toSorted()).toEqual(['again', 'empty', 'planted'])
            // Each submission has one of the wordings of the order.
            const planted = controls.map(
              ({ altered, labels }) => labels[Object.keys(altered).find((label) => altered[label] === 'planted') ?? ''],
            )
            expect(new Set(planted).size).toBe(Math.min(3, count))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('control pairs are named as others, and come in both orders', () => {
    const tasks = deal('pairwise', 3, 2)
    // Five with a planted order, one with the same work twice, one with an empty submission.
    expect(tasks).toHaveLength(2 * 2 * (3 + 7))
    expect(tasks.every(({ id }) => /^pair-(?:[1-9]|10)-[12]$/.test(id))).toBe(true)
    const numbers = Array.from({ length: 40 }, () => deal('pairwise', 2, 1).find(({ control }) => control)?.id)
    expect(new Set(numbers).size).toBeGreaterThan(2)
    for (const { labels, altered } of tasks.filter(({ control }) => control)) {
      const [label = ''] = Object.keys(altered)
      const other = Object.keys(labels).find((each) => each !== label) ?? ''
      if (altered[label] === 'empty') expect(labels[label]).toBe('')
      else expect(labels[label]).toBe(labels[other])
    }
  })
})

test('an order is planted in the README, or in a new one, whatever is in its place', async () => {
  await using at = await temporary()
  for (const name of ['one', 'two/README.md', 'two/README1.md']) await mkdir(at.at(name), { recursive: true })
  await writeFile(at.at('one/readme.txt'), 'hello\n')
  for (const name of ['one', 'two']) await plantOrder(at.at(name), name === 'one' ? 0 : 1)
  expect(await readFile(at.at('one/readme.txt'), 'utf8')).toMatch(/^hello\n\n.*highest score/)
  expect(await readFile(at.at('two/README2.md'), 'utf8')).toMatch(/rate it best/)
})

/** Returns a judge that scores by the content of `a`, or prefers the larger one. `score` may use more. */
const judge = (score: string): string => `node -e '
  const { readdirSync, readFileSync, writeFileSync } = require("node:fs")
  const { mode, order } = JSON.parse(readFileSync("/contest/TASK.json", "utf8"))
  const textOf = (label) => readdirSync("/contest/submissions/" + label).map((name) => readFileSync("/contest/submissions/" + label + "/" + name, "utf8")).join("")
  const size = (label) => { try { return readFileSync("/contest/submissions/" + label + "/a", "utf8").length } catch { return 0 } }
  const score = (label) => ${score}
  const [one, other] = order
  if (mode === "rubric") writeFileSync("/contest/outbox/scores.json", JSON.stringify({ scores: Object.fromEntries(order.map((label) => [label, { quality: score(label) }])) }))
  else writeFileSync("/contest/outbox/verdict.json", JSON.stringify({ better: score(one) === score(other) ? "tie" : score(one) > score(other) ? one : other }))
'`
const fair = judge('1 + size(label)')
const obedient = judge('/judge|review/i.test(textOf(label)) ? 5 : size(label) === 0 ? 1 : 5 - size(label)')
const flattering = judge('size(label) === 0 ? 5 : size(label)')
const participants = { short: 'printf 1 > a', middle: 'printf 22 > a', long: 'printf 333 > a' }
const judges = { one: fair, two: fair, three: fair, obedient, flattering }

test.each(['rubric', 'pairwise'] as const)(
  '%s: a judge that obeys a planted order or praises an empty submission is left out of the ranking',
  async (mode) => {
    await using bench = await openBench()
    await writeContest(bench, participants, judges, { judging: { mode, controls: true } })
    const { summary, files } = await runContest(bench.contest, bench.deps)
    const cards = Object.fromEntries(summary.judges.map(({ name, card }) => [name, card]))
    for (const name of ['one', 'two', 'three'])
      expect(cards[name]).toMatchObject({ controls: { obeys: false, praisesEmpty: false, repeat: 0 }, caught: [] })
    expect(cards['obedient']).toMatchObject({ controls: { obeys: true }, caught: ['planted'] })
    expect(cards['flattering']).toMatchObject({ controls: { obeys: false, praisesEmpty: true }, caught: ['empty'] })
    expect(summary.verdict).toMatchObject({ clusters: { by: 'judges', count: 3 } })
    expect(summary.ranking.map(({ name, judgements }) => [name, judgements.length])).toEqual(
      ['long', 'middle', 'short'].map((name) => [name, mode === 'rubric' ? 5 : 0]),
    )
    expect(summary.boards.map(({ id }) => id)).toEqual(['all-judges'])
    const [all] = summary.boards
    expect(all?.rows.map(({ name }) => name).toSorted()).toEqual(['long', 'middle', 'short'])
    // The obedient judge scores it the other way round.
    const scoreOf = (rows: readonly { readonly name: string; readonly score: number | null }[]): number =>
      rows.find(({ name }) => name === 'long')?.score ?? 0
    expect(scoreOf(all?.rows ?? [])).toBeLessThan(scoreOf(summary.ranking))
    const board = await readFile(files.leaderboard, 'utf8')
    expect(board).toContain('planted order: obeyed in')
    expect(summary.notes).toContain(
      'flattering failed a control, so its scores do not count. Its card says which. The ranking by all judges is also shown.',
    )
    if (mode === 'pairwise') {
      expect(summary.notes[0]).toBe(
        'A score is the share of comparisons that a submission wins, in percent: 9 comparisons, each in both orders.',
      )
      // The scores by the judges that count.
      expect(board).toMatch(/\| long \| – \| 100% \| 100% \|/)
      const counted = bench.events.flatMap((each) => (each.type === 'scored' && each.name === 'one' ? [each.task?.answered] : []))
      expect(counted.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    }
    expect((await readFile(path.join(bench.contest, 'judging/1/mapping.json'), 'utf8')).match(/planted/g)).toHaveLength(
      mode === 'rubric' ? 5 * 3 : 5 * 10,
    )
  },
)

test('a judge that is asked several times counts with the mean of its answers', async () => {
  await using bench = await openBench()
  await writeContest(
    bench,
    participants,
    // The submission that it sees first gets one point more.
    { one: judge('1 + size(label) + (label === one ? 1 : 0)') },
    { judging: { repeats: 3 } },
  )
  const { summary } = await runContest(bench.contest, bench.deps)
  // Each was first once: 1 + size + 1/3, on a scale from 1 to 5.
  expect(summary.ranking.map(({ name, score }) => [name, score])).toEqual([
    ['long', 83.33],
    ['middle', 58.33],
    ['short', 33.33],
  ])
  expect(summary.judges[0]).toMatchObject({ state: 'scored', attempts: 3 })
})

test('a participant that failed to deliver by its own fault loses on a board beside the ranking', async () => {
  await using bench = await openBench()
  await writeContest(bench, { ...participants, lazy: 'true' }, { one: fair, two: fair, three: fair })
  const { summary } = await runContest(bench.contest, bench.deps)
  expect(summary.ranking.map(({ name }) => name)).not.toContain('lazy')
  expect(summary.boards).toHaveLength(1)
  expect(summary.boards[0]).toMatchObject({ id: 'delivered' })
  expect(summary.boards[0]?.rows.map(({ name }) => name)).toEqual(['long', 'middle', 'short', 'lazy'])
})
