import { describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../src/audit/event.ts'
import { EgressLedger } from '../../src/egress/ledger.ts'
import { groupOf, WrittenOnce } from '../../src/egress/written-once.ts'

function ledger(): { readonly ledger: EgressLedger; readonly events: AuditEvent[]; readonly of: (kind: string) => AuditEvent[] } {
  const events: AuditEvent[] = []
  const made = new EgressLedger('c', 'public', (event) => void events.push(event))
  return { ledger: made, events, of: (kind) => events.filter((each) => each.kind === kind) }
}

const refuse = (host: string, connection = 1) => ({ connection, host, port: 443, reason: 'not-allowed' as const })

describe('whatever a cell floods the log with', () => {
  test('a new name is in it after thousands of others, and the log stays small', () => {
    const { ledger: made, events, of } = ledger()
    for (let at = 0; at < 20_000; at++) made.asked(`n${at}.junk.example.com`, 'not-allowed')
    for (let at = 0; at < 3_000; at++) made.asked(`n${at}.other.example`, null)
    made.asked('secret.exfil.test', 'not-allowed')
    made.asked('quiet.host.test', null)
    const names = of('egress.dns').map(({ data }) => data['name'])
    expect(names).toContain('secret.exfil.test')
    expect(names).toContain('quiet.host.test')
    expect(events.length).toBeLessThan(15_000)
  })

  test('a new denied host is in it after a flood of refused connections, for each reason', () => {
    const { ledger: made, events, of } = ledger()
    for (let at = 0; at < 30_000; at++) made.denied(refuse('junk.example', at))
    made.denied(refuse('new.example', 30_001))
    made.denied({ ...refuse('junk.example', 30_002), reason: 'sni-mismatch' })
    made.allowed({ connection: 30_003, host: 'let.example', port: 443 })
    expect(of('egress.deny').map(({ data }) => data['host'])).toContain('new.example')
    expect(of('egress.deny').map(({ data }) => data['reason'])).toContain('sni-mismatch')
    expect(of('egress.allow')).toHaveLength(1)
    expect(events.length).toBeLessThan(11_000)
  })

  test('it says what it leaves out while it happens, by domain', () => {
    const { ledger: made, events, of } = ledger()
    for (let at = 0; at < 30_000; at++) made.asked(`${at.toString(36)}.tunnel.example.co.uk`, 'not-allowed')
    const [first] = of('egress.unwritten')
    expect(first?.data).toEqual({ count: 1, domains: ['example.co.uk 1'] })
    // At most one in ten seconds, however many there are.
    expect(of('egress.unwritten').length).toBeLessThan(5)
    made.close()
    const counted = of('egress.unwritten').reduce((sum, { data }) => sum + Number(data['count']), 0)
    expect(counted).toBe(Number(events.at(-1)?.data['unwritten']))
    expect(counted + of('egress.dns').length).toBe(30_000)
  })
})

describe('what is seen for the first time', () => {
  test('is reported by host and reason, each once', () => {
    const once = new WrittenOnce()
    expect([once.see('a.example', 'x'), once.see('a.example', 'x'), once.see('a.example', 'y'), once.see('b.example', 'x')]).toEqual([
      'first',
      'seen',
      'first',
      'first',
    ])
  })

  test('is bounded below one domain, and altogether', () => {
    const once = new WrittenOnce({ all: 100, belowOne: 10 })
    const below = Array.from({ length: 50 }, (_, at) => once.see(`n${at}.flood.test`, 'x'))
    expect(below.filter((each) => each === 'first')).toHaveLength(20)
    expect(once.see('else.where.test', 'x')).toBe('first')
    const many = Array.from({ length: 200 }, (_, at) => once.see(`n${at}.test`, 'x'))
    expect(many.filter((each) => each === 'first')).toHaveLength(79)
    expect(once.see('else.where.test', 'x')).toBe('seen')
  })

  test.each([
    ['a.b.example.co.uk', 'example.co.uk'],
    ['x.me.github.io', 'me.github.io'],
    ['com', 'com'],
    ['198.18.0.7', '(addresses)'],
    ['2001:db8::1', '(addresses)'],
    ['fd00::1', '(addresses)'],
    ['(unreadable)', '(unreadable)'],
    ['', ''],
  ])('%j belongs to %j', (host, group) => expect(groupOf(host)).toBe(group))
})
