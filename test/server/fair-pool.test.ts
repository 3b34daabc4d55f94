import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairPool } from '../../src/server/fair-pool.ts'

/** Returns a pool whose work ends when its caller says so, with what runs and what was refused. */
function stage(limits: { atOnce: number; ofOne: number; waiting: number }) {
  const pool = new FairPool(limits, () => new Error('too many'))
  const running: { readonly caller: string; readonly end: () => void }[] = []
  const refused: string[] = []
  return {
    running,
    refused,
    callers: () => running.map(({ caller }) => caller),
    ask: (caller: string) =>
      void pool.run(caller, () => new Promise<void>((end) => running.push({ caller, end }))).catch(() => refused.push(caller)),
    async end(index = 0) {
      running.splice(index, 1)[0]?.end()
      await settled()
    },
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('waiting work starts in turns, and one caller never has all places', async () => {
  const { ask, end, callers } = stage({ atOnce: 3, ofOne: 2, waiting: 10 })
  for (const each of ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c']) ask(each)
  await settled()
  expect(callers()).toEqual(['a', 'a', 'b'])
  await end()
  expect(callers()).toEqual(['a', 'b', 'a'])
  await end()
  expect(callers()).toEqual(['b', 'a', 'b'])
  await end()
  expect(callers()).toEqual(['a', 'b', 'c'])
  await end()
  expect(callers()).toEqual(['b', 'c', 'a'])
})

test('if all waiting places are taken, the caller with the most of them loses the newest', async () => {
  const { ask, refused, running, end, callers } = stage({ atOnce: 1, ofOne: 1, waiting: 4 })
  for (const each of ['a', 'a', 'a', 'a', 'a']) ask(each)
  await settled()
  expect(refused).toEqual([])
  ask('a')
  ask('b')
  ask('c')
  await settled()
  expect(refused).toEqual(['a', 'a', 'a'])
  const order: string[] = []
  for (; running.length > 0; await end()) order.push(...callers())
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a'])
})

test('whatever callers ask for, limits hold, nobody with a fair share is refused, and all that waits runs', async () => {
  const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(2)), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { ask, end, running, refused, callers } = stage({ atOnce: 3, ofOne: 2, waiting: 8 })
      let asked = 0
      const ended: string[] = []
      const finish = async (index: number): Promise<void> => {
        const which = running[index]
        if (which !== undefined) ended.push(which.caller)
        await end(index)
      }
      for (const step of all) {
        if (typeof step === 'string') {
          const before = refused.length
          const own = (caller: string) => callers().filter((each) => each === caller).length
          ask(step)
          asked++
          await settled()
          expect(refused.length - before).toBeLessThanOrEqual(1)
          expect(running.length).toBeLessThanOrEqual(3)
          for (const each of callers()) expect(own(each)).toBeLessThanOrEqual(2)
        } else await finish(step)
      }
      while (running.length > 0) await finish(0)
      expect(ended.length + refused.length).toBe(asked)
    }),
    { numRuns: 50 },
  )
})
