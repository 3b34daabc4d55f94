import { afterEach, describe, expect, test, vi } from 'vitest'
import { pool } from '../../../src/contest/run/pool.ts'
import { slotsOf } from '../../../src/contest/state/slots.ts'

const never = new AbortController().signal

afterEach(() => vi.restoreAllMocks())

describe('the pool', () => {
  test.each([-3_600_000, 3_600_000])('waits for its time and no longer when the clock is set by %i ms', async (jump) => {
    let runs = 0
    await pool(['x'], slotsOf({ cells: 1 }), never, async () => {
      runs += 1
      if (runs > 1) return undefined
      const again = Date.now() + 300
      const { now } = Date
      setTimeout(() => vi.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + jump), 20)
      return { again }
    })
    expect(runs).toBe(2)
  })

  test('returns to unfinished items, and continues with others meanwhile', async () => {
    const done: string[] = []
    let isFirst = true
    await pool(['late', 'a', 'b'], slotsOf({ cells: 1 }), never, async (item) => {
      if (item === 'late' && isFirst) {
        isFirst = false
        return { again: Date.now() + 50 }
      }
      done.push(item)
      return undefined
    })
    expect(done).toEqual(['a', 'b', 'late'])
  })

  test('stops waiting on request', async () => {
    const abort = new AbortController()
    let runs = 0
    const waiting = pool(['x'], slotsOf({ cells: 1 }), abort.signal, async () => {
      runs += 1
      return { again: Date.now() + 3_600_000 }
    })
    setTimeout(() => abort.abort(), 20)
    await waiting
    expect(runs).toBe(1)
  })

  test('runs all of them when one fails, and then throws its failure', async () => {
    const done: number[] = []
    const run = pool([1, 2, 3], slotsOf({ cells: 1 }), never, async (item) => {
      if (item === 1) throw new Error('one')
      done.push(item)
    })
    await expect(run).rejects.toThrow('one')
    expect(done).toEqual([2, 3])
  })
})

describe('slots', () => {
  test('are shared by all who use them, and given in the order of asking', async () => {
    const slots = slotsOf({ cells: 2 })
    let now = 0
    let most = 0
    const order: string[] = []
    const one = (name: string): Promise<void> =>
      pool([1, 2, 3], slots, never, async (item) => {
        order.push(`${name}${item}`)
        now += 1
        most = Math.max(most, now)
        await new Promise((resolve) => setImmediate(resolve))
        now -= 1
      })
    await Promise.all([one('a'), one('b')])
    expect(most).toBe(2)
    expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
  })

  test('of one vendor are bounded, and others do not wait for it', async () => {
    const slots = slotsOf({ cells: 3, cellsPerFamily: 1 })
    const first = await slots.take(['anthropic'], never)
    let isSecond = false
    const second = slots.take(['anthropic', 'openai'], never).then((slot) => {
      isSecond = true
      return slot
    })
    const google = await slots.take(['google'], never)
    const none = await slots.take([], never)
    expect(isSecond).toBe(false)
    first?.[Symbol.dispose]()
    first?.[Symbol.dispose]()
    await second
    google?.[Symbol.dispose]()
    none?.[Symbol.dispose]()
    expect(await slots.take(['google'], never)).not.toBeNull()
  })

  test('give nothing once the signal is aborted, and waiting callers leave', async () => {
    const slots = slotsOf({ cells: 1 })
    const held = await slots.take([], never)
    const abort = new AbortController()
    const waiting = slots.take([], abort.signal)
    abort.abort()
    expect(await waiting).toBeNull()
    expect(await slots.take([], abort.signal)).toBeNull()
    held?.[Symbol.dispose]()
    expect(await slots.take([], never)).not.toBeNull()
  })

  test('start as far apart as is wanted, and stop waiting on request', async () => {
    const slots = slotsOf({ cells: 2, staggerMs: 3_600_000 })
    const abort = new AbortController()
    expect(await slots.take([], never)).not.toBeNull()
    const second = slots.take([], abort.signal)
    const soon = new Promise((resolve) => setImmediate(resolve, 'waits'))
    expect(await Promise.race([second, soon])).toBe('waits')
    abort.abort()
    expect(await second).toBeNull()
  })
})
