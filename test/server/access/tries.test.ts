import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Tries } from '../../../src/server/access/tries.ts'

describe('wrong passphrases', () => {
  it('hold at most ten wrong tries in any minute, and take only so much memory', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 200 }), (pauses) => {
        let now = 0
        const tries = new Tries({ monotonic: () => now, wall: () => 0 })
        const looked: number[] = []
        for (const pause of pauses) {
          now += pause
          try {
            tries.attempt('a', () => {
              looked.push(now)
              return null
            })
          } catch {
            // There were too many tries, so this one was not checked.
          }
        }
        for (const at of looked) expect(looked.filter((each) => each >= at && each < at + 60_000).length).toBeLessThanOrEqual(10)
      }),
    )
    const tries = new Tries({ monotonic: () => 0, wall: () => 0 }, 100)
    for (let caller = 0; caller < 1_000; caller += 1) tries.attempt(String(caller), () => null)
    expect(tries.size).toBe(100)
  })
})
