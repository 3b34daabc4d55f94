import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ending } from '../support/egress-peers.ts'
import { ask, h2, once1, say, tell } from '../support/inspect-clients.ts'
import { https1, openInspectLab } from '../support/inspect-lab.ts'
import { leavingHost, leavings, type Moment } from '../support/leaving-host.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** Returns the result of one request: its status, body and code, or that a client would give up. */
async function asked(session: ClientHttp2Session, path: string): Promise<string> {
  const stream = session.request({ ':path': path }).on('error', () => {})
  return Promise.race([outcome(stream), pause(60_000, 'not answered', { ref: false })])
}

function outcome(stream: ClientHttp2Stream): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let status = 0
  let body = ''
  stream.on('response', (head) => {
    status = Number(head[':status'])
  })
  stream.on('data', (chunk: Buffer) => {
    body += chunk.toString('latin1')
  })
  stream.once('close', () =>
    resolve(`${status} ${status === 502 ? '' : body} ${stream.rstCode === constants.NGHTTP2_NO_ERROR ? 'whole' : 'cut'}`),
  )
  return promise
}

/** Resolves when the host has left and the gateway has closed its side. */
const over = (left: Promise<void>) => Promise.race([left, pause(2_000, undefined, { ref: false })])

const first: Record<Moment, string> = {
  'when idle': '200 whole whole',
  'with the end': '200 whole whole',
  'before the head': '502  whole',
  'in the middle': '200 who cut',
}
const shapes = Object.keys(leavings).flatMap((how) =>
  (['when idle', 'before the head', 'in the middle'] as const).map((moment) => [how as keyof typeof leavings, moment] as const),
)

test.each(shapes)('A4: an inspected HTTP/2 host leaves by %s %s, and the next request is answered', async (how, moment) => {
  await using lab = await openInspectLab(network)
  const host = leavingHost(moment, how)
  await lab.upstream(443, host.serve)
  const session = await h2(lab)
  const answers = [await asked(session, '/leave')]
  await over(host.left)
  answers.push(await asked(session, '/after'))
  expect(answers).toEqual([first[moment], '200 whole whole'])
  expect(lab.dialled).toHaveLength(2)
  session.destroy()
})

test('A4: an answer that a host cuts off by a FIN is cut off for a client of HTTP/1.1, too', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(443, leavingHost('in the middle', 'a FIN').serve)
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  const ended = ending(client)
  client.write(say('GET /leave'))
  expect(await Promise.race([ended, pause(60_000, 'not answered', { ref: false })])).toBe('ECONNRESET')
  expect(await once1(lab, say('GET /after'))).toMatch(/^HTTP\/1.1 200 [\s\S]*whole/)
})

test.each(['a FIN', 'a GOAWAY and a FIN'] as const)(
  'A4: a whole answer reaches a slow client when %s comes right behind it',
  async (how) => {
    await using lab = await openInspectLab(network)
    const body = Buffer.alloc(700_000, 'x')
    const host = leavingHost('with the end', how, body)
    await lab.upstream(443, host.serve)
    const session = await h2(lab)
    const stream = session.request({ ':path': '/leave' }).on('error', () => {})
    await new Promise((resolve) => stream.once('response', resolve))
    // By then the client's window is full, and the rest of the answer waits in the gateway.
    await pause(300)
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    await new Promise((resolve) => stream.once('close', resolve))
    expect([bytes, stream.rstCode]).toEqual([body.length, 0])
    session.destroy()
  },
)

test('a kept connection of HTTP/1.1 that the host has left is not used again', async () => {
  await using lab = await openInspectLab(network)
  const sockets: Socket[] = []
  const host = https1(tell)
  await lab.upstream(443, (socket) => {
    sockets.push(socket)
    host(socket)
  })
  const session = await h2(lab)
  expect(await ask(session, { ':method': 'POST' }, 'one')).toMatchObject({ status: 200 })
  const seen = new Promise<void>((resolve) => sockets[0]?.once('end', resolve).once('close', () => resolve()))
  sockets[0]?.end()
  await over(seen)
  expect(await Promise.race([ask(session, { ':method': 'POST' }, 'two'), pause(60_000, 'not answered', { ref: false })])).toMatchObject({
    status: 200,
  })
  session.destroy()
})
