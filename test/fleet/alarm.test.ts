import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every, setAlarm } from '../../src/fleet/alarm.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** An alarm whose next time the test sets. */
function stage(look: () => void = () => undefined) {
  const listeners = new Set<() => void>()
  const at = { next: null as number | null, clock: 1_000_000, looks: 0, errors: [] as string[] }
  const alarm = setAlarm({
    look() {
      at.looks += 1
      look()
      return at.next
    },
    failed: (error) => void at.errors.push(error),
    now: () => at.clock,
    log: {
      onGrowth(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  })
  const pass = (ms: number): void => {
    at.clock += ms
    vi.advanceTimersByTime(ms)
  }
  const grow = (): void => {
    for (const each of listeners) each()
  }
  return { at, alarm, pass, grow, listeners }
}

test('an alarm looks once for all rings of a turn, and for the growth of the log', () => {
  const { at, alarm, pass, grow } = stage()
  alarm.ring()
  grow()
  expect(at.looks).toBe(0)
  pass(1)
  expect(at.looks).toBe(1)
  grow()
  pass(1)
  expect(at.looks).toBe(2)
  pass(3_600_000)
  expect(at.looks).toBe(2)
})

test('it looks when something is due, and sees within half a minute that the clock was set', () => {
  const { at, pass } = stage()
  at.next = at.clock + 10_000
  pass(1)
  pass(9_990)
  expect(at.looks).toBe(1)
  pass(10)
  expect(at.looks).toBeGreaterThan(1)
  at.next = at.clock + 86_400_000
  pass(1)
  const before = at.looks
  at.clock += 86_400_000
  vi.advanceTimersByTime(30_000)
  expect(at.looks).toBeGreaterThan(before)
})

test('an error is reported, and it looks again', () => {
  let isBroken = true
  const { at, pass } = stage(() => {
    if (isBroken) throw new Error('disk')
  })
  pass(1)
  expect(at.errors).toEqual(['disk'])
  isBroken = false
  pass(1_000)
  expect([at.errors, at.looks]).toEqual([['disk'], 2])
})

test('what rings while it looks is looked at afterwards, and nothing after its end', () => {
  const depth = { now: 0, most: 0, left: 1 }
  const { at, alarm, pass, grow, listeners } = stage(() => {
    depth.now += 1
    depth.most = Math.max(depth.most, depth.now)
    if (depth.left-- > 0) alarm.look()
    depth.now -= 1
  })
  pass(1)
  pass(1)
  expect([at.looks, depth.most]).toEqual([2, 1])
  at.next = at.clock + 1_000
  alarm.ring()
  alarm[Symbol.dispose]()
  grow()
  alarm.ring()
  alarm.look()
  pass(10_000)
  expect([at.looks, listeners.size]).toEqual([2, 0])
})

test('work for each period is done once in it, however often the alarm looks', () => {
  const clock = { ms: 1_000_000 }
  const done: number[] = []
  const period = 3_600_000
  using _ = setAlarm({
    look: every(
      period,
      () => void done.push(clock.ms),
      () => clock.ms,
    ),
    failed: () => undefined,
    now: () => clock.ms,
  })
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= 10_000) {
      clock.ms += 10_000
      vi.advanceTimersByTime(10_000)
    }
  }
  pass(period - 20_000)
  expect(done.length).toBe(1)
  pass(60_000)
  expect(done.length).toBe(2)
  clock.ms -= 2 * period
  pass(60_000)
  expect(done.length).toBe(3)
})
