import { stat } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dealLabels, withJudges } from '../../src/contest/judging/labels.ts'
import { readMapping, writeMapping } from '../../src/contest/judging/mapping.ts'
import { shuffled } from '../../src/contest/judging/shuffled.ts'
import { labelAt } from '../../src/contest/state/label.ts'
import { temporary } from '../support/temporary.ts'

test('labels go on after Z, and none comes twice', () => {
  expect([0, 1, 25, 26, 27, 51, 52, 701, 702].map(labelAt)).toEqual(['A', 'B', 'Z', 'AA', 'AB', 'AZ', 'BA', 'ZZ', 'AAA'])
  expect(new Set(Array.from({ length: 2000 }, (_, index) => labelAt(index))).size).toBe(2000)
})

const submissionsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ participant: `p${index}`, tree: `t${index}` }))
const judgesOf = (count: number) => Array.from({ length: count }, (_, index) => `j${index}`)

test('each judge has every submission under one label, and no submission has a label more often than another, but for one time', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 25 }),
      fc.integer({ min: 0, max: 25 }),
      (count, judges, first) => {
        const all = judgesOf(judges)
        // Some judges joined later.
        const begun = dealLabels({ judging: 1, round: 1 }, submissionsOf(count), all.slice(0, first))
        const mapping = withJudges(begun, all.slice(first))
        expect(mapping.tasks.slice(0, first)).toEqual(begun.tasks)
        expect(mapping.tasks.map((each) => each.judge).toSorted()).toEqual(all.toSorted())
        const participants = submissionsOf(count).map((each) => each.participant)
        for (const { labels, order } of mapping.tasks) {
          expect(order).toEqual(participants.map((_, index) => labelAt(index)))
          expect(order.map((label) => labels[label]).toSorted()).toEqual(participants.toSorted())
        }
        for (let index = 0; index < count; index += 1) {
          const times = participants.map((who) => mapping.tasks.filter(({ labels }) => labels[labelAt(index)] === who).length)
          expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(1)
        }
      },
    ),
  )
})

test('labels are dealt at random', () => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 3000; index += 1) {
    const { tasks } = dealLabels({ judging: 1, round: 1 }, submissionsOf(3), judgesOf(2))
    const first = tasks.find(({ judge }) => judge === 'j0')?.labels['A'] ?? ''
    counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  expect(counts.size).toBe(3)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250)
})

test('every order of three comes up, none much more often than another', () => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 6000; index += 1) {
    const order = shuffled(['a', 'b', 'c']).join('')
    counts.set(order, (counts.get(order) ?? 0) + 1)
  }
  expect(counts.size).toBe(6)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250)
})

test('the mapping is for its owner only', async () => {
  await using at = await temporary()
  const mapping = dealLabels({ judging: 1, round: 1 }, [{ participant: 'x', tree: 't' }], ['j'])
  await writeMapping(at.at('1/mapping.json'), mapping)
  expect((await stat(at.at('1/mapping.json'))).mode & 0o777).toBe(0o600)
  expect(await readMapping(at.at('1/mapping.json'))).toEqual(mapping)
  expect(await readMapping(at.at('none'))).toBeNull()
})
