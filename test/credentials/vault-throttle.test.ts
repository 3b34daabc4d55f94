import { describe, expect, it } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import { UnlockThrottle } from '../../src/credentials/vault/throttle.ts'
import { refused } from './vault-lab.ts'

const wrong = (): Promise<never> => Promise.reject(new PaddockError('WRONG_PASSPHRASE', 'wrong'))

describe('guessing passphrases', () => {
  it('costs a second after the third, then each twice as long, up to five minutes; a right one forgets them', async () => {
    let now = 0
    let tried = 0
    const throttle = new UnlockThrottle(() => now)
    const guess = (): Promise<PaddockError> =>
      refused(() =>
        throttle.attempt(() => {
          tried += 1
          return wrong()
        }),
      )
    const waits: number[] = []
    for (let round = 1; round <= 14; round++) {
      expect((await guess()).message).toBe('wrong')
      expect(tried).toBe(round)
      // Without a wait, a second guess would be tried, so there is none.
      const held = round < 3 ? null : await guess()
      const wait = held === null ? 0 : Number(/tried in (\d+) s/.exec(held.message)?.[1])
      if (held !== null) expect([held.code, held.exitCode]).toEqual(['TOO_MANY_TRIES', 125])
      expect(tried).toBe(round)
      waits.push(wait)
      now += wait * 1_000
    }
    expect(waits).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    expect(await throttle.attempt(() => Promise.resolve('right'))).toBe('right')
    expect((await guess()).message).toBe('wrong')
    expect((await guess()).message).toBe('wrong')
  })

  it('one at a time; a failure for another reason does not count as a guess', async () => {
    const throttle = new UnlockThrottle(() => 0)
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = throttle.attempt(() => promise)
    expect(await refused(() => throttle.attempt(wrong))).toMatchObject({ code: 'BUSY', message: 'Another passphrase is being tried.' })
    resolve('done')
    expect(await first).toBe('done')
    for (let round = 0; round < 10; round++)
      expect((await refused(() => throttle.attempt(() => Promise.reject(new PaddockError('FILES_FAILED', 'damaged'))))).message).toBe(
        'damaged',
      )
  })
})
