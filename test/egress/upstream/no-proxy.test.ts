import { describe, expect, it } from 'vitest'
import { bypassesProxy, readNoProxy } from '../../../src/egress/upstream/no-proxy.ts'

const goesAround = (list: string, host: string, port = 443, addresses: readonly string[] = []): boolean =>
  bypassesProxy(readNoProxy(list).rules, host, port, addresses)

describe('NO_PROXY', () => {
  it.each([
    ['corp.example', ['corp.example', 'a.corp.example', 'a.b.corp.example', 'corp.example.'], ['xcorp.example', 'corp.example.net']],
    ['.corp.example', ['corp.example', 'a.corp.example'], ['xcorp.example']],
    ['*.corp.example', ['a.corp.example', 'a.b.corp.example'], ['corp.example', 'xcorp.example']],
    ['CORP.Example.', ['corp.example', 'a.corp.example'], []],
    ['intranet', ['intranet', 'a.intranet'], ['intranet.example']],
    ['*', ['anything.example', '203.0.113.7', '2001:db8::1'], []],
    ['10.0.0.0/8', ['10.1.2.3', '::ffff:10.1.2.3'], ['11.1.2.3', '10.example']],
    ['203.0.113.7', ['203.0.113.7'], ['203.0.113.8']],
    ['2001:db8::/32', ['2001:db8::5'], ['2001:db9::5', '203.0.113.7']],
    ['[2001:db8::1]', ['2001:db8::1'], ['2001:db8::2']],
    ['a.example b.example,c.example\nd.example', ['a.example', 'b.example', 'c.example', 'd.example'], ['e.example']],
    ['', [], ['a.example']],
  ])('%j', (list, around, through) => {
    for (const each of around) expect(goesAround(list, each), each).toBe(true)
    for (const each of through) expect(goesAround(list, each), each).toBe(false)
  })

  it('may name a port', () => {
    for (const [list, host] of [
      ['corp.example:8443', 'a.corp.example'],
      ['203.0.113.7:8443', '203.0.113.7'],
      ['[2001:db8::1]:8443', '2001:db8::1'],
    ] as const) {
      expect(goesAround(list, host, 8443), list).toBe(true)
      expect(goesAround(list, host, 443), list).toBe(false)
    }
  })

  it('compares ranges with all addresses that a name has on this machine', () => {
    expect(goesAround('10.0.0.0/8', 'wiki.corp.example', 443, ['10.1.2.3', '10.1.2.4'])).toBe(true)
    expect(goesAround('10.0.0.0/8', 'wiki.corp.example', 443, ['10.1.2.3', '203.0.113.7'])).toBe(false)
    expect(goesAround('10.0.0.0/8', 'wiki.corp.example', 443, [])).toBe(false)
  })

  it.each(['localhost', 'localhost.', 'a.localhost', '0.0.0.0', '::', '127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    'is not needed for %s',
    (host) => {
      expect(goesAround('', host)).toBe(true)
    },
  )

  it('is not needed for a name that means loopback here', () => {
    expect(goesAround('', 'dev.example', 443, ['127.0.0.1'])).toBe(true)
    expect(goesAround('', 'dev.example', 443, ['127.0.0.1', '203.0.113.7'])).toBe(false)
  })

  it('names the entries that match nothing', () => {
    expect(readNoProxy('a.example, 10.0.0.0/33, http://b.example, c.example:0, 1.2.3, [::1, fe80::1%eth0').unread).toEqual([
      '10.0.0.0/33',
      'http://b.example',
      'c.example:0',
      '1.2.3',
      '[::1',
      'fe80::1%eth0',
    ])
  })
})
