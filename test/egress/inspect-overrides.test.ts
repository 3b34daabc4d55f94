import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodOverrides, pathOverride } from '../../src/egress/requests/overrides.ts'
import { until } from '../support/egress-peers.ts'
import { https1, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const dodges: readonly (readonly [target: string, ...fields: string[]])[] = [
  // The npm package method-override uses the text before the first comma.
  ['/x', 'X-HTTP-Method-Override: DELETE, x'],
  // CGI (RFC 3875), WSGI and Rack treat both as the same name.
  ['/x', 'X_HTTP_Method_Override: DELETE'],
  ['/x', 'X-Original-Method: delete'],
  ['/x', 'X-Rewrite_Url: /y'],
  ['/x', 'X_Original_URL: /y'],
  ['/x?_m%65thod=DELETE'],
  ['/x?%5Fm%45thod=DELETE'],
  ['/x?a=b;_method=DELETE'],
  // PHP converts a dot and an unclosed bracket to an underscore.
  ['/x?.method=DELETE'],
  ['/x?[method=DELETE'],
  ['/x?_method[]=DELETE'],
  ['/x?_method=%44ELETE&_method=POST'],
]
test.each(dodges)('a method or path that is overridden is judged, however it is spelled: %s %s', async (target, ...fields) => {
  await using lab = await openInspectLab(network, ['deny DELETE /**'])
  const arrived: string[] = []
  await lab.upstream(
    443,
    https1((request, response) => {
      arrived.push(`${request.method} ${request.url}`)
      request.resume().on('end', () => response.end('ok'))
    }),
  )
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.write([`POST ${target} HTTP/1.1`, 'Host: a.example', 'Content-Length: 0', ...fields, '', ''].join('\r\n'))
  const answered = await until(client, '\r\n\r\n')
  client.destroy()
  expect(arrived).toEqual([])
  expect(answered).toMatch(/^HTTP\/1.1 40[03] /)
})

test('a host without rules may be sent any of them, and none comes in a trailer', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(
    443,
    https1((request, response) => void request.resume().on('end', () => response.end(`${request.url} ${request.rawTrailers} end`))),
  )
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  const fields = ['X-HTTP-Method-Override: a b', 'Transfer-Encoding: chunked']
  const trailers = ['X-Http_Method: DELETE', 'X-Original-URL: /y', 'X-Api_Key: k', 'X-Goog-Api-Key: k', 'Cookie: a=b', 'X-Sum: 1']
  client.write(['POST /x?_method=a,b HTTP/1.1', 'Host: a.example', ...fields, '', '0', ...trailers, '', ''].join('\r\n'))
  expect(await until(client, ' end')).toContain('/x?_method=a,b X-Sum,1 end')
  client.destroy()
})

/** Variants of a name that servers treat as equal: case and separators do not count. */
const separators = fc.constantFrom('-', '_')
const cased = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((each, at) => (upper[at] ? each.toUpperCase() : each.toLowerCase())).join(''))
const spelt = (words: readonly string[]) =>
  fc
    .tuple(...words.map(cased), fc.array(separators, { minLength: words.length, maxLength: words.length }))
    .map((parts) => (parts.slice(0, -1) as string[]).map((word, at) => (at === 0 ? word : `${parts.at(-1)?.[at]}${word}`)).join(''))
const methodFields = ['x-http-method-override', 'x-http-method', 'x-method-override', 'x-method', 'x-original-method', 'x-forwarded-method']
const pathFields = ['x-original-url', 'x-rewrite-url', 'x-original-uri', 'x-forwarded-uri', 'x-forwarded-host', 'x-host', 'x-original-host']
const field = fc.constantFrom(...methodFields).chain((name) => spelt(name.split('-')))
const padded = fc
  .tuple(fc.constantFrom('', ' ', '\t'), cased('delete'), fc.constantFrom('', ' ', ', x', ';q=1', ' POST', ',POST'))
  .map((parts) => parts.join(''))
/** A text with each character plain, or escaped once or twice. */
const escaped = (text: string) =>
  fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: text.length, maxLength: text.length }).map((times) =>
    [...text]
      .map((each, at) => {
        const hex = each.charCodeAt(0).toString(16)
        return times[at] === 0 && !/[\s+%&;=]/.test(each) ? each : times[at] === 2 ? `%25${hex}` : `%${hex}`
      })
      .join(''),
  )
const parameter = fc
  .tuple(fc.constantFrom('_', '.', '[', ' _', '__'), cased('method'), fc.constantFrom('', '', '[]', '[0]', ' '))
  .chain((parts) => escaped(parts.join('')))
const pair = fc.tuple(parameter, cased('delete').chain(escaped)).map(([name, value]) => `${name}=${value}`)
const innocent = fc.constantFrom('a=b', 'x', '', '_method=POST', 'method=list')

describe('no spelling gets past a rule about DELETE', () => {
  const dodged = (methods: readonly string[] | null) => methods !== null && !methods.includes('DELETE')

  test('in a field', () => {
    fc.assert(
      fc.property(
        field,
        padded,
        fc.array(
          field.map((name): [string, string] => [name, 'POST']),
          { maxLength: 2 },
        ),
        (name, value, others) => {
          expect(dodged(methodOverrides([...others, [name, value]], ''))).toBe(false)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('in the query', () => {
    fc.assert(
      fc.property(
        pair,
        fc.array(innocent, { maxLength: 2 }),
        fc.array(innocent, { maxLength: 2 }),
        fc.constantFrom('&', ';'),
        (dodge, before, after, by) => {
          expect(dodged(methodOverrides([], `?${[...before, dodge, ...after].join(by)}`))).toBe(false)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('by a field for another path', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...pathFields).chain((name) => spelt(name.split('-'))),
        (name) => {
          const found = pathOverride([
            ['accept', '*/*'],
            [name, '/x'],
          ])
          expect(found).toBe(name.toLowerCase())
        },
      ),
      { numRuns: 300 },
    )
  })

  test('and ordinary requests have none', () => {
    const fields = ['accept', 'access-control-request-method', 'x-request-id', 'x-forwarded-for', 'x-github-api-version', 'method'] as const
    expect(
      methodOverrides(
        fields.map((name) => [name, 'a b']),
        '?method=a.b&methods=1,2&a_method=3&page=%5B1%5D',
      ),
    ).toEqual([])
    expect(pathOverride(fields.map((name) => [name, 'a b']))).toBeNull()
  })
})
