import { expect, test } from 'vitest'
import { privateEgress } from '../../../src/cli/run/private-egress.ts'
import { parseAllow } from '../../../src/egress/policy/allow.ts'

const none = { egress: 'allowlist', allow: [], ask: [], preset: [], inspect: [], rule: [], rules: [] }
const agent = ['api.host.example', 'login.host.example'].map((each) => parseAllow(each))
const hosts = (policy: ReturnType<typeof privateEgress>): unknown =>
  policy.mode === 'allowlist'
    ? policy.entries.map((each) => `${each.host}:${each.ports}${each.inspect === undefined ? '' : ' inspected'}`)
    : policy.mode

test('the hosts of the agent and nothing else; off where there are none', () => {
  expect(hosts(privateEgress(none, () => agent))).toEqual(['api.host.example:443', 'login.host.example:443'])
  expect(hosts(privateEgress({ ...none, egress: 'off' }, () => agent))).toBe('off')
  expect(hosts(privateEgress(none, () => []))).toBe('off')
})

test('the host of a base URL, and how it is reached', () => {
  const wishes = { ...none, baseUrl: 'http://models:8080', allow: ['models:8080=127.0.0.1:8080'] }
  expect(hosts(privateEgress(wishes, (named) => (named.length > 0 ? [] : agent)))).toEqual(['models:8080'])
  expect(() => privateEgress({ ...wishes, allow: ['other.example'] }, () => [])).toThrow('--private and --allow other.example')
})

test('rules and inspection hold for what is left, and let nothing more in', () => {
  const wishes = {
    ...none,
    inspect: ['api.host.example', 'elsewhere.example'],
    rule: ['deny DELETE api.host.example/**', 'deny POST elsewhere.example/**'],
    projectRule: ['deny PUT elsewhere.example/**'],
  }
  expect(hosts(privateEgress(wishes, () => agent))).toEqual(['api.host.example:443 inspected', 'login.host.example:443'])
  expect(() => privateEgress({ ...none, rule: ['deny POST *.host.example/**'] }, () => agent)).toThrow(
    'let the cell reach all of *.host.example',
  )
})
