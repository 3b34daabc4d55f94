import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey } from '../../../src/server/access/address.ts'
import { Tries } from '../../../src/server/access/tries.ts'

describe('failures by address', () => {
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
    for (let address = 0; address < 1_000; address += 1) tries.attempt(String(address), () => null)
    expect(tries.size).toBe(100)
  })

  it('are counted by IPv4 address and by IPv6 network of 64 bits', () => {
    expect(addressKey('::ffff:192.0.2.1')).toBe(addressKey('192.0.2.1'))
    expect(addressKey('2001:db8::1')).toBe(addressKey('2001:0DB8:0:0:ffff::2'))
    expect(addressKey('2001:db8:0:1::1')).not.toBe(addressKey('2001:db8::1'))
    expect(addressKey('fe80::1%eth0')).toBe(addressKey('fe80::2'))
    expect(addressKey('unknown, x')).toBe('unknown')
  })
})
