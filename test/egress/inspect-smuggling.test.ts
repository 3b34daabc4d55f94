import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectH2 } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/egress-peers.ts'
import { https1, type InspectLab, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'
import { type SeenRequest, strictHost } from '../support/strict-host.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** Resolves once there is the head of an answer that is not an interim one. */
function answered(client: TLSSocket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let got = ''
  client.on('data', (chunk: Buffer) => {
    got += chunk.toString('latin1')
    if (/HTTP\/1\.1 [2-5]\d\d [\s\S]*?\r\n\r\n/.test(got)) resolve(got)
  })
  client.once('close', () => resolve(got))
  return promise
}
const inner = 'POST /secret/x HTTP/1.1\r\nHost: other.example\r\nContent-Length: 0\r\n\r\n'
const options = [
  'content-length',
  'Content-Length',
  'transfer-encoding',
  'host',
  'connection',
  'close, content-length',
  'x-a, Host',
  'a b',
  ':path',
]

// Methods whose requests Node sends without any framing if neither a length nor chunks are declared.
test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'])(
  'a length that Connection names does not make a body a second request: %s',
  async (method) => {
    await using lab = await openInspectLab(network, ['deny POST /secret/**'])
    const arrived: string[] = []
    await lab.upstream(
      443,
      https1((request: IncomingMessage, response: ServerResponse) => {
        arrived.push(`${request.method} ${request.headers.host}${request.url}`)
        request.resume().on('end', () => response.end('ok'))
      }),
    )
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(
      `${method} /fine HTTP/1.1\r\nHost: a.example\r\nContent-Length: ${inner.length}\r\nConnection: content-length\r\n\r\n${inner}`,
    )
    expect(await Promise.race([until(client, '\r\n\r\n'), pause(60_000, 'nothing', { ref: false })])).toContain('400 Bad Request')
    // By then the smuggled request would have been sent. Another connection shows that the host has read it.
    const second = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    second.write('GET /after HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n')
    await until(second, 'ok')
    client.destroy()
    second.destroy()
    expect(arrived).toEqual(['GET a.example/after'])
  },
)

describe('a forwarded request is framed as it was read', () => {
  test.each<[method: string, fields: string, body: string, framing: SeenRequest['framing']]>([
    ['POST', 'Content-Length: 0\r\n', '', '0'],
    ['PUT', '', '', '0'],
    ['GET', '', '', 'none'],
    ['GET', 'Content-Length: 3\r\n', 'abc', '3'],
    ['HEAD', 'Content-Length: 3\r\n', 'abc', '3'],
    ['DELETE', 'Content-Length: 0\r\n', '', '0'],
    ['DELETE', 'Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n', 'chunked'],
    ['GET', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n', 'chunked'],
    ['OPTIONS', 'Content-Length: 3\r\nConnection: keep-alive, x-a\r\nX-A: 1\r\n', 'abc', '3'],
    ['POST', 'Content-Length: 3\r\nExpect: 100-continue\r\nTrailer: x\r\n', 'abc', '3'],
    ['GET', 'Expect: 100-continue\r\n', '', 'none'],
  ])('%s with %j', async (method, fields, body, framing) => {
    await using lab = await openInspectLab(network)
    const host = strictHost()
    await lab.upstream(443, host.serve)
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(`${method} /x HTTP/1.1\r\nHost: a.example\r\n${fields}\r\n${body}`)
    expect(await answered(client)).toMatch(/HTTP\/1.1 200 /)
    client.destroy()
    expect(host.seen).toEqual([{ method, target: '/x', framing, bytes: body.includes('abc') ? 3 : 0 }])
    expect(host.faults).toEqual([])
  })

  test.each(options)('Connection: %s is refused', async (option) => {
    await using lab = await openInspectLab(network)
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(`GET /x HTTP/1.1\r\nHost: a.example\r\nConnection: ${option}\r\n\r\n`)
    expect(await answered(client)).toMatch(/^HTTP\/1.1 400 /)
    client.destroy()
    expect(lab.dialled).toEqual([])
  })

  test.each(['Content_Length: 5', 'Transfer_Encoding: chunked', 'content.length: 5'])('%s is refused', async (field) => {
    await using lab = await openInspectLab(network)
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(`GET /x HTTP/1.1\r\nHost: a.example\r\n${field}\r\n\r\n`)
    expect(await answered(client)).toMatch(/^HTTP\/1.1 400 /)
    client.destroy()
  })
})

const bodies = fc.oneof(fc.constant(inner), fc.constant(''), fc.constant('x'), fc.constant('0\r\n\r\n'), fc.string({ maxLength: 40 }))
const asked = fc.record({
  version: fc.constantFrom('1.1', '2'),
  method: fc.constantFrom('GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'PROPFIND'),
  body: bodies,
  framing: fc.constantFrom('length', 'chunked', 'none', 'wrong'),
  connection: fc.option(fc.constantFrom('keep-alive', 'x-a', 'te', '', ...options), { nil: null, freq: 2 }),
  more: fc.subarray(['Expect: 100-continue', 'TE: trailers', 'Trailer: x-b', 'X-A: 1', 'Keep-Alive: 5', 'X-HTTP-Method-Override: PUT']),
})
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never

function overH1({ method, body, framing, connection, more }: Asked, target: string): string {
  const bytes = Buffer.from(body)
  const chunks = bytes.length === 0 ? '0\r\n\r\n' : `${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n0\r\nX-B: 1\r\n\r\n`
  const fields = [
    ...more,
    ...(connection === null ? [] : [`Connection: ${connection}`]),
    ...(framing === 'length' || framing === 'wrong' ? [`Content-Length: ${bytes.length}`] : []),
    ...(framing === 'chunked' ? ['Transfer-Encoding: chunked'] : []),
  ]
  const said = framing === 'chunked' ? chunks : framing === 'none' ? '' : bytes.toString('latin1')
  return `${method} ${target} HTTP/1.1\r\nHost: a.example\r\n${fields.map((each) => `${each}\r\n`).join('')}\r\n${said}`
}

/** Sends a request over HTTP/2. `wrong` declares a different length than the body has. */
async function overH2(lab: InspectLab, { method, body, framing, more }: Asked, target: string): Promise<void> {
  const socket = await lab.tls({ ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  const session = connectH2('https://a.example', { createConnection: () => socket }).on('error', () => {})
  const bytes = Buffer.from(body)
  const length = framing === 'length' ? bytes.length : framing === 'wrong' ? bytes.length + 1 : null
  const fields = more.filter((each) => !/^(?:Keep|Expect)/.test(each)).map((each) => each.toLowerCase().split(': '))
  const head = { ...Object.fromEntries(fields), ...(length === null ? {} : { 'content-length': String(length) }) }
  const stream = session.request({ ...head, ':method': method, ':path': target }, { endStream: framing === 'none' }).on('error', () => {})
  if (framing !== 'none') stream.end(bytes)
  stream.resume()
  await once(stream, 'close').catch(() => {})
  session.destroy()
}

test('a host sees one request for each that was judged, whatever clients say', async () => {
  await using lab = await openInspectLab(network, ['deny * /secret/**'])
  const host = strictHost()
  await lab.upstream(443, host.serve)
  let number = 0
  await fc.assert(
    fc.asyncProperty(asked, async (request) => {
      const target = `/${number++}`
      if (request.version === '2') await overH2(lab, request, target)
      else {
        const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
        client.write(overH1(request, target), 'latin1')
        await answered(client)
        client.destroy()
      }
      expect(host.faults).toEqual([])
      // Only whole requests: one with a truncated body has no end there.
      expect(host.seen.filter((each) => each.target === target).length).toBeLessThanOrEqual(1)
      expect(host.seen.filter((each) => !/^\/\d+$/.test(each.target))).toEqual([])
    }),
    { numRuns: 150 },
  )
  const judged = lab.events.filter(({ kind, data }) => kind === 'egress.request' && data['decision'] === 'allow')
  const passed = new Set(judged.map(({ data }) => `${data['method']} ${data['path']}`))
  expect(host.seen.filter((each) => !passed.has(`${each.method} ${each.target}`))).toEqual([])
  expect(host.seen.length).toBeGreaterThan(40)
})
