import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import { connect as connectH2 } from 'node:http2'
import { type Duplex, duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TLSSocket, connect as tlsConnect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noGateway } from '../../src/egress/no-gateway.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { ask, say, servers, tell } from '../support/inspect-clients.ts'
import { http1, type InspectLab, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const plain = { host: 'plain.example', ports: [80, 8_080] }

/** Hands one end of a pipe to the gateway and returns the other. */
function streamTo(lab: InspectLab, host: string, port: number): Duplex {
  const [ours, theirs] = duplexPair({ allowHalfOpen: true })
  lab.gateway.serveStream(theirs, { host, port })
  return ours.on('error', () => {})
}

function tlsTo(lab: InspectLab, protocol: string, servername = 'a.example'): TLSSocket {
  const socket = streamTo(lab, 'a.example', 443)
  return tlsConnect({ socket, servername, ca: lab.ca, ALPNProtocols: [protocol] }).on('error', () => {})
}

async function h2To(lab: InspectLab): Promise<ClientHttp2Session> {
  const socket = tlsTo(lab, 'h2')
  await once(socket, 'secureConnect')
  return connectH2('https://a.example', { createConnection: () => socket }).on('error', () => {})
}

describe('a stream that names its destination', () => {
  test('is relayed like a connection, with its end', async () => {
    await using lab = await openInspectLab(network, [], {}, [plain])
    await lab.upstream(80, http1(tell))
    const client = streamTo(lab, 'plain.example', 80)
    client.end(say('GET /x', 'Connection: close').replace('a.example', 'plain.example'))
    expect(await text(client)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*"url":"\/x"/s)
    expect((await lab.event('egress.end')).data).toMatchObject({ host: 'plain.example', port: 80, how: 'closed' })
  })

  test('passes bulk data both ways, and holds a sender whose reader has stopped', async () => {
    await using lab = await openInspectLab(network, [], {}, [plain])
    let taken = 0
    await lab.upstream(8_080, (socket) => {
      socket.on('data', (chunk: Buffer) => {
        taken += chunk.length
      })
      socket.once('end', () => socket.end(String(taken)))
    })
    const client = streamTo(lab, 'plain.example', 8_080)
    const bytes = Buffer.alloc(1_048_576, 'x')
    for (let index = 0; index < 8; index++) if (!client.write(bytes)) await once(client, 'drain')
    client.end()
    expect(await text(client)).toBe(String(8 * bytes.length))
  })

  test.each(['HTTP/1.1', 'HTTP/2'] as const)('is inspected, to a host of %s, and gets its credential there', async (version) => {
    const placeholder = 'sk-standinstandinstandinstandin'
    await using lab = await openInspectLab(network, ['deny POST /closed'], {
      credentials: [
        {
          name: 'KEY',
          hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/**'] }],
          places: [{ kind: 'header', name: 'x-api-key' }],
          placeholders: () => [placeholder],
          secret: async () => Secret.fromText('KEY', 'sk-real-canary-of-the-host-0123456789'),
        },
      ],
    })
    await lab.upstream(443, servers[version]())
    const one = tlsTo(lab, 'http/1.1')
    one.write(say('GET /one', `X-Api-Key: ${placeholder}`, 'Connection: close'))
    const answer = await text(one)
    expect(answer).toMatch(/^HTTP\/1\.1 200/)
    expect(answer.toLowerCase()).toContain('x-api-key')
    expect(answer).not.toContain('sk-real-canary')
    const session = await h2To(lab)
    expect(await ask(session, { ':path': '/two' })).toMatchObject({ status: 200 })
    expect(await ask(session, { ':path': '/closed', ':method': 'POST' }, 'body')).toMatchObject({ status: 403 })
    session.destroy()
    const requests = lab.events.filter(({ kind }) => kind === 'egress.request').map(({ data }) => [data['path'], data['credentials']])
    expect(requests).toEqual([
      ['/one', ['KEY']],
      ['/two', undefined],
      ['/closed', undefined],
    ])
  })

  test.each([
    ['a name that is not allowed', 'b.example', 443, 'not-allowed'],
    ['another port of an allowed name', 'a.example', 8_443, 'not-allowed'],
    ['an address', '93.184.216.34', 443, 'not-allowed'],
    ['a name in another form', 'A.EXAMPLE', 443, 'not-allowed'],
    ['a name with a dot at its end', 'a.example.', 443, 'not-allowed'],
    ['a name with a zero byte', 'a.example\0.b.example', 443, 'not-allowed'],
    ['no name', '', 443, 'not-allowed'],
  ])('to %s is refused, and its stream is cut', async (_what, host, port, reason) => {
    await using lab = await openInspectLab(network)
    const client = streamTo(lab, host, port)
    await once(client.resume(), 'close')
    expect((await lab.event('egress.deny', reason)).data).toMatchObject({ host, port })
    expect(lab.dialled).toEqual([])
  })

  test('is refused when TLS names another host than the stream', async () => {
    await using lab = await openInspectLab(network)
    const client = tlsTo(lab, 'http/1.1', 'x.w.example')
    await once(client, 'close')
    expect(await lab.event('egress.deny', 'sni-mismatch')).toBeDefined()
  })

  test('is cut with the gateway, in the middle of a handshake and of an answer', async () => {
    await using lab = await openInspectLab(network, [], {}, [plain])
    await lab.upstream(8_080, (socket) => void socket.write('begun'))
    const half = streamTo(lab, 'a.example', 443)
    half.write(Buffer.from([22, 3, 1, 2, 0]))
    const open = streamTo(lab, 'plain.example', 8_080)
    await once(open, 'data')
    const closed = [half, open].map((each) => once(each.resume(), 'close'))
    await lab.gateway.close()
    await Promise.all(closed)
    const late = streamTo(lab, 'plain.example', 8_080)
    await once(late.resume(), 'close')
  })

  test('is refused by the gateway of a cell without a network', async () => {
    const denied: unknown[] = []
    const gateway = noGateway('c', 'off', ({ kind, data }) => denied.push([kind, data]))
    const [ours, theirs] = duplexPair()
    gateway.serveStream(theirs, { host: 'a.example', port: 443 })
    await once(theirs, 'close')
    ours.destroy()
    expect(denied).toMatchObject([['egress.deny', { host: 'a.example', port: 443, reason: 'not-allowed' }]])
  })
})
