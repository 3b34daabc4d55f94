import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import path from 'node:path'
import { duplexPair } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { eagerDuplex, type Transport } from '../../../src/cell/places/eager-duplex.ts'
import { openLink, serveLink } from '../../../src/cell/places/place-link.ts'
import { bothWays } from '../../support/both-ways.ts'
import { temporary } from '../../support/temporary.ts'

const echoServer = path.join(import.meta.dirname, '../../fixtures/echo-link.ts')
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const echo = (stream: ServerHttp2Stream): void => {
  stream.respond({ ':status': 200 })
  stream.pipe(stream)
}

async function overSocket(server: Server, address: () => Transport): Promise<Transport> {
  server.on('connection', (socket) => void serveLink(bothWays(socket), echo))
  await once(server, 'listening')
  ends.push(() => server.close())
  return address()
}

const transports: Record<string, (directory: string) => Promise<Transport>> = {
  async 'pipes of a process'() {
    const child: ChildProcess = spawn(process.execPath, [echoServer], { stdio: ['pipe', 'pipe', 'inherit'] })
    ends.push(() => child.kill('SIGKILL'))
    if (child.stdout === null || child.stdin === null) throw new Error('no pipes')
    return { readable: child.stdout, writable: child.stdin }
  },
  async 'a Unix socket'(directory) {
    const file = path.join(directory, 'link')
    return overSocket(createServer().listen(file), () => {
      return bothWays(connect(file))
    })
  },
  async TCP() {
    const server = createServer().listen(0, '127.0.0.1')
    return overSocket(server, () => {
      return bothWays(connect((server.address() as AddressInfo).port, '127.0.0.1'))
    })
  },
}

describe.each(Object.keys(transports))('a link over %s', (name) => {
  test('carries 200 two-way streams at once, each with more than its windows', async () => {
    await using root = await temporary()
    const transport = await transports[name]?.(root.path)
    if (transport === undefined) throw new Error('no transport')
    const session = openLink(transport)
    ends.push(() => session.destroy())
    const sizes = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const stream = session.request({ ':method': 'POST', ':path': '/' }, { endStream: false })
        stream.end(Buffer.alloc(512 * 1024, 'x'))
        return (await buffer(stream)).length
      }),
    )
    expect(new Set(sizes)).toEqual(new Set([512 * 1024]))
  })
})

describe('a link', () => {
  const pair = (onStream: (stream: ServerHttp2Stream) => void, every?: number) => {
    const [here, there] = duplexPair()
    const server = serveLink(bothWays(there), onStream, undefined, every)
    const session = openLink(bothWays(here), undefined, every)
    ends.push(() => {
      session.destroy()
      server.destroy()
    })
    return { session, server, here }
  }

  test('keeps the ends of both directions apart', async () => {
    const { session } = pair((stream) => {
      stream.respond({ ':status': 200 })
      void text(stream).then((all) => stream.end(`${all}, to its end`))
    })
    const stream = session.request({ ':method': 'POST', ':path': '/' }, { endStream: false })
    stream.end('all of it')
    expect(await text(stream)).toBe('all of it, to its end')
  })

  test('lets other streams pass beside one whose reader has stopped', async () => {
    const { session } = pair((stream) => {
      stream.respond({ ':status': 200 })
      stream.end(Buffer.alloc(8 * 1024 ** 2))
    })
    const stopped = session.request({ ':path': '/' })
    await once(stopped.pause(), 'response')
    for (let index = 0; index < 3; index++) expect((await buffer(session.request({ ':path': '/' }))).length).toBe(8 * 1024 ** 2)
    expect(stopped.readableLength).toBeLessThan(1024 ** 2)
    stopped.destroy()
  })

  test('ends when the other side does not answer a PING', async () => {
    const [here] = duplexPair()
    const session = openLink(bothWays(here), undefined, 50)
    const stream = session.request({ ':path': '/' })
    const failure = await new Promise((resolve) => stream.once('error', resolve))
    expect(failure).toMatchObject({ message: 'the other side does not answer' })
    expect(session.destroyed).toBe(true)
  })

  test('refuses streams that the other side opens, and ends when the transport does', async () => {
    const { session, server, here } = pair(() => {})
    await Promise.all([once(session, 'remoteSettings'), once(server, 'remoteSettings')])
    expect(session.remoteSettings.enableConnectProtocol).toBe(false)
    expect(server.remoteSettings).toMatchObject({ maxConcurrentStreams: 0, enablePush: false })
    const stream = session.request({ ':path': '/' }, { endStream: false })
    const failed = new Promise((resolve) => stream.once('error', resolve))
    here.destroy()
    expect(await failed).toMatchObject({ message: 'the connection was closed' })
  })

  test('cuts off a peer that announces windows and does not read', async () => {
    const [here] = duplexPair({ highWaterMark: 1 })
    const broken = Promise.withResolvers<Error>()
    const transport = eagerDuplex(bothWays(here), broken.resolve, 1024 ** 2)
    for (let index = 0; index < 40; index++) transport.write(Buffer.alloc(64 * 1024))
    expect((await broken.promise).message).toBe('the other side does not read')
    transport.destroy()
  })

  test('has its server for other processes', () => expect(existsSync(echoServer)).toBe(true))
})
