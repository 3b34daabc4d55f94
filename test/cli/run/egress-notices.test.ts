import { expect, test } from 'vitest'
import { egressNotices, noticesBeyond } from '../../../src/cli/run/egress-notices.ts'
import type { EgressNotice, InternalName } from '../../../src/egress/notice.ts'

/** Returns the lines about these notices. */
function told(notices: readonly EgressNotice[], option?: Parameters<typeof egressNotices>[1]): readonly string[] {
  const lines: string[] = []
  const tell = egressNotices((line) => lines.push(line), option)
  for (const each of notices) tell(each)
  return lines
}

const internal = (host: string, more: Partial<InternalName> = {}): InternalName => ({
  kind: 'internal-address',
  host,
  ports: [443],
  addresses: [{ address: '10.0.0.5', kind: 'private' }],
  option: '--allow',
  ...more,
})
const gone = (host: string): EgressNotice => ({ kind: 'unresolvable', host })
const denied = (
  host: string,
  port: number | null,
  reason: 'not-allowed' | 'host-mismatch' | 'literal-address' = 'not-allowed',
): EgressNotice => ({
  kind: 'denied',
  host,
  port,
  reason,
})

test('5: a name with only internal addresses is reported with the pin that allows it', () => {
  expect(told([internal('registry.corp.test')])).toEqual([
    'registry.corp.test means 10.0.0.5, an address of your own network; to allow it: --allow registry.corp.test:443=10.0.0.5:443',
  ])
  const two = [
    { address: 'fd00::5', kind: 'unique-local' as const },
    { address: '10.0.0.5', kind: 'private' as const },
  ]
  expect(told([internal('a.test', { ports: [443, 8443], addresses: two, option: '--inspect' })])).toEqual([
    'a.test means fd00::5 (and 1 more), an address of your own network; to allow it: --inspect a.test:443,8443=[fd00::5]',
  ])
  expect(told([internal('a.test', { addresses: [{ address: '127.0.0.1', kind: 'loopback' }], option: null })])).toEqual([
    'a.test means 127.0.0.1, an address of this machine, so the cell cannot reach it',
  ])
  expect(told([internal('a.test')], (_, value) => `egress.allow: ['${value}']`)[0]).toMatch(
    /; to allow it: egress\.allow: \['a\.test:443=10\.0\.0\.5:443'\]$/,
  )
})

test('5: no line suggests to allow a metadata service', () => {
  expect(told([internal('a.test', { addresses: [{ address: '169.254.169.254', kind: 'metadata' }] })])).toEqual([
    'a.test means 169.254.169.254, an internal address (metadata), so the cell cannot reach it',
  ])
})

test('5: the first denial of a host is reported with the option that allows it', () => {
  expect(told([denied('b.test', null), denied('b.test', 80), denied('c.test', 8080)])).toEqual([
    'denied b.test (not-allowed); to allow it: --allow b.test',
    'denied c.test:8080 (not-allowed); to allow it: --allow c.test:8080',
  ])
  expect(told([denied('d.test', 443, 'host-mismatch'), denied('9.9.9.9', 443, 'not-allowed')])).toEqual([
    'denied d.test:443 (host-mismatch)',
    'denied 9.9.9.9:443 (not-allowed)',
  ])
})

test('4: a name is reported once, and no cell fills the screen with names', () => {
  const many = Array.from({ length: 100 }, (_, at) => `${at}.x`)
  const names = told(['a.x', 'a.x', ...many, 'a.x'].map(gone))
  expect(names[0]).toBe('the name a.x does not resolve on this machine, so the cell cannot reach it')
  expect(names).toHaveLength(5)
  const hosts = told(many.map((each) => denied(each, null)))
  expect(hosts).toHaveLength(6)
  expect(hosts.at(-1)).toBe('more hosts are denied; --report FILE lists them')
})

test('4: a notice that is shown at the end of a terminal run is left out if the last lines name the host', () => {
  const notices = told([gone('a.x'), gone('b.x'), internal('c.x')])
  const last = ['exit 1 after 1.0 s', 'the model endpoint failed (the name a.x does not resolve on this machine)']
  expect(noticesBeyond(last, notices)).toEqual(notices.slice(1))
  expect(noticesBeyond(['done after 1.0 s'], notices)).toEqual(notices)
})
