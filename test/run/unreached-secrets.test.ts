import { expect, test } from 'vitest'
import type { CellCredential } from '../../src/egress/placeholder/credential.ts'
import { parseAllow, parseAsk } from '../../src/egress/policy/allow.ts'
import type { AllowEntry, EgressPolicy } from '../../src/egress/policy/egress-policy.ts'
import { unreachedSecrets } from '../../src/run/unreached-secrets.ts'

const to = (...hosts: string[]): CellCredential => ({
  name: 'TOKEN',
  hosts: hosts.map((host) => ({ host, port: 443, tls: true, paths: ['/**'] })),
  places: [],
  placeholders: () => [],
  secret: () => Promise.reject(new Error('not asked for')),
})
const allowing = (...entries: AllowEntry[]): EgressPolicy => ({ mode: 'allowlist', entries })
const endpoint = { ...parseAllow('model.paddock.internal:80'), endpoint: { host: 'api.example.com', port: 443 } }

test.each<[string, EgressPolicy, CellCredential, number]>([
  ['off', { mode: 'off' }, to('api.example.com'), 1],
  ['an allowlist without its host', allowing(parseAllow('example.com')), to('api.example.com'), 1],
  ['an allowlist with its host on another port', allowing(parseAllow('api.example.com:8443')), to('api.example.com'), 1],
  ['an allowlist with one of its hosts', allowing(parseAllow('b.example.com')), to('a.example.com', 'b.example.com'), 0],
  ['an allowlist with a pattern for its host', allowing(parseAllow('*.example.com')), to('api.example.com'), 0],
  ['an allowlist with a host of its pattern', allowing(parseAllow('api.example.com')), to('*.example.com'), 0],
  ['a host that is asked about', allowing(parseAsk('*')), to('api.example.com'), 0],
  ['an endpoint that forwards to its host', allowing(endpoint), to('api.example.com'), 0],
  ['public', { mode: 'public', entries: [], blocked: [] }, to('api.example.com'), 0],
])('7: a secret whose hosts the cell does not reach is named at the start: %s', (_, policy, secret, lines) => {
  expect(unreachedSecrets(policy, [secret])).toHaveLength(lines)
})

test('7: the line about a secret that goes nowhere has the option that lets it', () => {
  expect(unreachedSecrets(allowing(), [to('api.example.com')])).toEqual([
    '$TOKEN goes only to api.example.com, which this cell does not reach (--allow api.example.com)',
  ])
})
