import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Mapping } from '../../../src/contest/judging/mapping.ts'
import { dealYours } from '../../../src/contest/judging/yours/deal-pairs.ts'

const named = (count: number, tree = 'a'): Mapping['submissions'] =>
  Array.from({ length: count }, (_, index) => ({ participant: `p${index}`, tree: tree.repeat(64) }))
const about = (submissions: Mapping['submissions'], comparisons?: number) => ({
  round: 1,
  submissions,
  identity: 'flag' as const,
  orders: 'flag' as const,
  comparisons,
})
const pairOf = ({ labels }: Mapping['tasks'][number]): string => Object.values(labels).toSorted().join()

test('each pair comes in both orders, first all of them once, and never the same two one after the other', () => {
  void fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }), (count, comparisons) => {
      const { tasks } = dealYours(about(named(count), comparisons), null)
      const orders = tasks.map(({ labels }) => Object.values(labels).join())
      const pairs = new Set(tasks.map(pairOf))
      expect(new Set(orders).size).toBe(tasks.length)
      expect(tasks.length).toBe(2 * pairs.size)
      expect(new Set(tasks.slice(0, pairs.size).map(pairOf)).size).toBe(pairs.size)
      expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
      if (pairs.size > 1) for (const [index, each] of tasks.slice(1).entries()) expect(pairOf(each)).not.toBe(pairOf(tasks[index] ?? each))
      for (const { judge, order, labels } of tasks) expect([judge, order, Object.keys(labels)]).toEqual(['you', ['A', 'B'], ['A', 'B']])
      // Every participant is compared, directly or through others.
      if (comparisons === undefined) {
        const all = (count * (count - 1)) / 2
        expect(pairs.size).toBe(count <= 6 ? all : 15)
        const met = new Set(tasks.flatMap(({ labels }) => Object.values(labels)))
        expect(met.size).toBe(count)
      }
    }),
  )
})

test('the same submissions keep their pairs; after a change, pairs of the others do, and no id is used again', () => {
  void fc.assert(
    fc.property(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 0, max: 5 }), (count, at) => {
      const before = dealYours(about(named(count)), null)
      expect(dealYours(about(named(count)), before)).toEqual(before)
      const changed = named(count).map((each, index) => (index === at % count ? { ...each, tree: 'b'.repeat(64) } : each))
      const after = dealYours(about(changed), before)
      const other = `p${at % count}`
      expect(after.tasks.filter(({ labels }) => !Object.values(labels).includes(other))).toEqual(
        before.tasks.filter(({ labels }) => !Object.values(labels).includes(other)),
      )
      const anew = after.tasks.filter(({ labels }) => Object.values(labels).includes(other))
      expect(anew.length).toBe(2 * (count - 1))
      expect(anew.some(({ id }) => before.tasks.some((each) => each.id === id))).toBe(false)
      expect(new Set(after.tasks.map(({ labels }) => Object.values(labels).join())).size).toBe(count * (count - 1))
    }),
  )
})
