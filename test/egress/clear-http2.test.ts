import { once } from 'node:events'
import { connect, createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refuseClearHttp2 } from '../../src/egress/connection/clear-http2.ts'
import { OpeningJudge } from '../../src/egress/connection/opening.ts'
import type { AllowEntry } from '../../src/egress/policy/egress-policy.ts'
import { openLab } from '../support/egress-lab.ts'
import { ending, get } from '../support/egress-peers.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
const settings = '\0\0\0\x04\0\0\0\0\0'
const inspect = { rules: [], otherwise: 'allow' as const }

describe('HTTP/2 without TLS', () => {
  let network: TestNetwork
  let server: Http2Server
  let pin: { address: string; port: number }
  let heard: string[]
  beforeAll(async () => {
    network = await openTestNetwork()
    server = createServer((request, response) => {
      heard.push(`${request.method} ${request.authority}${request.url}`)
      response.end(`hello ${request.url}`)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    pin = { address: '127.0.0.1', port: (server.address() as AddressInfo).port }
  })
  afterAll(async () => {
    server.close()
    await network[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    heard = []
  })
  const ask = async (host: string, port: number): Promise<string> => {
    const socket = await network.connect('198.18.0.1', port)
    const session = connect(`http://${host}:${port}`, { createConnection: () => socket })
    try {
      const stream = session.request({ ':path': '/x' })
      return await text(stream)
    } finally {
      session.destroy()
    }
  }

  test.each([80, 50_051])('passes to a pin, on port %i, and plain HTTP/1 there is still checked', async (port) => {
    await using lab = await openLab(network, [{ host: 'grpc.example', ports: [port], pin }], { limits: { sniffMs: 5_000 } })
    expect(await ask('grpc.example', port)).toBe('hello /x')
    expect((await lab.event('egress.allow')).data).toMatchObject({ host: 'grpc.example', protocol: 'http2' })
    const other = await network.connect('198.18.0.1', port)
    other.write(get('/', 'b.example'))
    expect(await text(other)).toMatch(/^HTTP\/1\.1 403 /)
    await lab.event('egress.deny', 'host-mismatch')
    expect(heard).toEqual([`GET grpc.example:${port}/x`])
  })

  test('passes to a pin after a silence of the client', async () => {
    await using lab = await openLab(network, [{ host: 'grpc.example', ports: [9000], pin }], { limits: { sniffMs: 1 } })
    const client = await network.connect('198.18.0.1', 9000)
    await lab.event('egress.allow')
    // A server of HTTP/2 speaks first, so the client's bytes are then not read at all.
    expect((await once(client, 'data'))[0]).toBeInstanceOf(Buffer)
    client.destroy()
  })

  test.each<[string, readonly (Partial<AllowEntry> & { host: string })[], string]>([
    ['to a host that is not pinned', [{ host: 'a.example', ports: [9000] }], 'HTTP/2 without TLS to a host that is not pinned'],
    [
      'to a pin that is inspected',
      [{ host: 'a.example', ports: [9000], pin: { address: '127.0.0.1' }, inspect }],
      'HTTP/2 without TLS to an inspected host',
    ],
    [
      'to a pin whose address an inspected host has as well',
      [
        { host: 'a.example', ports: [9000], pin: { address: '127.0.0.1' } },
        { host: 'b.example', ports: [9000], pin: { address: '127.0.0.1' }, inspect },
      ],
      'HTTP/2 without TLS to an address that b.example may have, whose requests are judged',
    ],
  ])('is refused %s, at once or after a silence, with the reason', async (_, entries, detail) => {
    await using lab = await openLab(network, entries, { limits: { sniffMs: 50, firstBytesMs: 2_000 } })
    await lab.upstream(9000, () => undefined)
    lab.servers.set('127.0.0.1:9000', [...lab.servers.values()][0] ?? 0)
    const client = await network.connect('198.18.0.1', 9000)
    client.write(preface + settings)
    expect(await ending(client)).toBe('ECONNRESET')
    expect((await lab.event('egress.deny', 'not-http')).data['detail']).toBe(detail)
    expect(lab.dialled).toEqual([])
    if (entries[0]?.inspect !== undefined) return
    const slow = await network.connect('198.18.0.1', 9000)
    await lab.event('egress.allow')
    slow.write(preface + settings)
    expect(await ending(slow)).toBe('ECONNRESET')
    expect(lab.gateway.summary().denied).toMatchObject([{ reason: 'not-http', count: 2 }])
    expect((await lab.event('egress.end')).data['bytesOut']).toBe(0)
  })
})

describe('the start of HTTP/2', () => {
  const judge = (port: number, ...pieces: string[]): unknown => {
    const opening = new OpeningJudge({ host: 'a.example', port })
    let verdict: unknown
    for (const each of pieces) verdict = opening.push(Buffer.from(each, 'latin1'))
    return verdict
  }

  test.each([80, 9000])('is recognised in any pieces, on port %i', (port) => {
    expect(judge(port, preface + settings)).toEqual({ kind: 'open', opening: 'http2' })
    expect(judge(port, ...(preface + settings))).toEqual({ kind: 'open', opening: 'http2' })
    expect(judge(port, preface)).toBe('need-more')
  })

  test.each([
    ['a request instead of settings', `${preface}GET / HTTP/1.1\r\nHost: b.example\r\n\r\n`],
    ['a field in the preface', 'PRI * HTTP/2.0\r\nHost: b.example\r\n\r\nSM\r\n\r\n'],
    ['another frame first', `${preface}\0\0\0\x01\0\0\0\0\x01`],
    ['settings of an odd length', `${preface}\0\0\x05\x04\0\0\0\0\0`],
    ['settings of a stream', `${preface}\0\0\0\x04\0\0\0\0\x01`],
    ['another version', 'PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n'],
    ['another case', 'pri * http/2.0\r\n\r\nSM\r\n\r\n'],
    ['an empty line first', `\r\n${preface}${settings}`],
  ])('is refused with %s', (_, bytes) => {
    expect(judge(9000, bytes)).toMatchObject({ kind: 'refused', refusal: { reason: 'not-http' } })
  })

  test('is refused on port 443', () => {
    expect(judge(443, preface + settings)).toMatchObject({ kind: 'refused', refusal: { reason: 'not-tls' } })
  })
})

describe('a pin', () => {
  const own = new Set(['0a000009'])
  const entry = (host: string, more: Partial<AllowEntry> = {}): AllowEntry => ({
    host,
    ports: [9000],
    internal: false,
    source: 'user',
    ...more,
  })
  const passes = (address: string, ...others: AllowEntry[]): boolean => {
    const pinned = entry('a.example', { pin: { address } })
    return refuseClearHttp2(pinned, 9000, { entries: [pinned, ...others], own }) === null
  }
  const at = (address: string, more: Partial<AllowEntry> = {}): AllowEntry => entry('b.example', { pin: { address }, inspect, ...more })

  test('gets HTTP/2 without TLS if other names at its address are not judged', () => {
    expect(passes('10.0.0.5')).toBe(true)
    expect(passes('10.0.0.5', entry('b.example', { pin: { address: '10.0.0.5' } }))).toBe(true)
    expect(passes('10.0.0.5', at('10.0.0.6'))).toBe(true)
    expect(passes('10.0.0.5', at('10.0.0.5', { pin: { address: '10.0.0.5', port: 443 } }))).toBe(true)
    // Its name never means an internal address.
    expect(passes('10.0.0.5', entry('b.example', { inspect }))).toBe(true)
  })

  test.each<[string, string, AllowEntry]>([
    ['is inspected', '10.0.0.5', at('10.0.0.5')],
    ['is inspected at this port of its own', '10.0.0.5', at('10.0.0.5', { ports: [80], pin: { address: '10.0.0.5', port: 9000 } })],
    ['is an endpoint', '10.0.0.5', entry('b.example', { pin: { address: '10.0.0.5' }, endpoint: { host: 'c.example', port: 9000 } })],
    ['needs permission', '10.0.0.5', entry('b.example', { pin: { address: '10.0.0.5' }, ask: true })],
    ['has the address in another form', '10.0.0.5', at('::ffff:10.0.0.5')],
    ['has another address of this machine', '127.0.0.1', at('::1')],
    ['has an address of an interface of this machine', '127.0.0.1', at('10.0.0.9')],
    ['has every address of this machine', '127.0.0.1', at('0.0.0.0')],
    ['may mean an internal address', '10.0.0.5', entry('b.example', { internal: true, inspect })],
    ['is resolved, as the pin is public', '93.184.216.34', entry('*.example', { inspect })],
  ])('gets none if another name %s', (_, address, other) => {
    expect(passes(address, other)).toBe(false)
  })
})
