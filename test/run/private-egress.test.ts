import { expect, test } from 'vitest'
import { readRequest } from '../../src/config/request/read-request.ts'
import { parseAllow } from '../../src/egress/policy/allow.ts'
import { privateEgress } from '../../src/run/private-egress.ts'

type Wishes = { readonly policy?: string; readonly [key: string]: unknown }
const baseUrl = 'http://models:8080'
const request = (wishes: Wishes = {}, project: readonly string[] = []) =>
  readRequest({ agent: 'claude', private: true }, { egress: wishes } as Parameters<typeof readRequest>[1], (key, index) => ({
    place: key,
    from: project.includes(`${key}[${index}]`) ? 'project' : 'caller',
  })).egress
const agent = ['api.host.example', 'login.host.example'].map((each) => parseAllow(each))
const hosts = (policy: ReturnType<typeof privateEgress>): unknown =>
  policy.mode === 'allowlist'
    ? policy.entries.map((each) => `${each.host}:${each.ports}${each.inspect === undefined ? '' : ' inspected'}`)
    : policy.mode

test('the hosts of the agent and no others; off if it has no hosts', () => {
  expect(hosts(privateEgress(request(), null, () => agent))).toEqual(['api.host.example:443', 'login.host.example:443'])
  expect(hosts(privateEgress(request({ policy: 'off' }), null, () => agent))).toBe('off')
  expect(hosts(privateEgress(request(), null, () => []))).toBe('off')
})

test('the host of a base URL, and how it is reached', () => {
  const wishes = request({ allow: ['models:8080=127.0.0.1:8080'] })
  expect(hosts(privateEgress(wishes, baseUrl, (named) => (named.length > 0 ? [] : agent)))).toEqual(['models:8080'])
  expect(() => privateEgress(request({ allow: ['other.example'] }), baseUrl, () => [])).toThrow('--private and --allow other.example')
})

test('rules and inspection hold for what is left, and let nothing more in', () => {
  const wishes = request(
    {
      inspect: ['api.host.example', 'elsewhere.example'],
      rules: ['deny DELETE api.host.example/**', 'deny POST elsewhere.example/**', 'deny PUT elsewhere.example/**'],
    },
    ['egress.rules[2]'],
  )
  expect(hosts(privateEgress(wishes, null, () => agent))).toEqual(['api.host.example:443 inspected', 'login.host.example:443'])
  expect(() => privateEgress(request({ rules: ['deny POST *.host.example/**'] }), null, () => agent)).toThrow(
    'let the cell reach all of *.host.example',
  )
})
