import { describe, expect, test } from 'vitest'
import { dialable, hostResolver } from '../../../src/egress/dns/resolver.ts'

const never = new AbortController().signal

describe('hostResolver', () => {
  test('honours the hosts file', async () => {
    const found = await hostResolver().resolve('localhost', never)
    expect(found.map(({ address }) => address)).toContain('127.0.0.1')
    expect(found.every(({ address, family }) => family === (address.includes(':') ? 6 : 4))).toBe(true)
  })

  test('rejects for a name that does not exist, for a given-up signal, and for too many at once', async () => {
    await expect(hostResolver().resolve('nothing.invalid', never)).rejects.toThrow()
    await expect(hostResolver().resolve('localhost', AbortSignal.abort())).rejects.toThrow()
    await expect(hostResolver({ maxPending: 0 }).resolve('localhost', never)).rejects.toThrow('too many')
  })

  test('many who ask for one name share one lookup', async () => {
    const resolver = hostResolver({ maxPending: 1 })
    const all = await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('localhost', never)))
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1)
  })
})

describe('dialable', () => {
  const addresses = [
    { address: '93.184.216.34', family: 4 as const },
    { address: '10.0.0.1', family: 4 as const },
    { address: '::1', family: 6 as const },
    { address: 'fe80::1%eth0', family: 6 as const },
  ]

  test('internal addresses are left out, in order, unless the entry says that they are meant', () => {
    expect(dialable(addresses, { internal: false }, new Set())).toEqual({
      allowed: [addresses[0]],
      refused: [
        { address: '10.0.0.1', kind: 'private' },
        { address: '::1', kind: 'loopback' },
        { address: 'fe80::1%eth0', kind: 'unreadable' },
      ],
    })
    expect(dialable(addresses, { internal: true }, new Set()).allowed).toEqual(addresses.slice(0, 3))
  })
})
