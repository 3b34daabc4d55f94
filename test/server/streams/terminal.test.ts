import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { encoded } from '../../../src/fleet/sessions/viewer-frames.ts'
import { relayTerminal } from '../../../src/server/streams/terminal-stream.ts'
import { closeCodes } from '../../../src/server/streams/watch-fleet.ts'
import { temporary } from '../../support/temporary.ts'

/** More than kernels buffer for a connection whose other side does not read (tcp_rmem, tcp(7): up to 32 MiB was seen). */
const bytes = 64 * 1024 * 1024
const frame = encoded(Buffer.alloc(64 * 1024, 'x'))
/** Fake host processes: `host` writes this many bytes to each client, `quiet` writes nothing, like a waiting shell. */
let host: Server
let quiet: Server
let relay: WebSocketServer
/** The number of relays that have ended. */
let ended = 0
let place: Awaited<ReturnType<typeof temporary>>
beforeAll(async () => {
  place = await temporary()
  host = createServer((socket) => {
    socket.on('error', () => undefined)
    for (let left = bytes; left > 0; left -= 64 * 1024) socket.write(frame)
  }).listen(place.at('host.sock'))
  quiet = createServer((socket) => void socket.resume().on('error', () => undefined)).listen(place.at('quiet.sock'))
  relay = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await Promise.all([once(host, 'listening'), once(quiet, 'listening'), once(relay, 'listening')])
  relay.on('connection', (socket, request) => {
    const stream = { signal: new AbortController().signal } as never
    const acknowledges = request.url === '/acknowledges'
    const open = async (): Promise<Socket> => {
      if (request.url === '/slowly') await once(socket, 'close')
      return connect(place.at(acknowledges || request.url === '/' ? 'host.sock' : 'quiet.sock'))
    }
    const begun = request.url === '/late' ? once(socket, 'close') : Promise.resolve()
    void begun
      .then(() => relayTerminal(socket, open, { stream, isGood: () => true, beatMs: 200 }, { acknowledges, patienceMs: 500 }))
      .then(() => {
        ended += 1
      })
  })
})
afterAll(async () => {
  relay.close()
  host.close()
  quiet.close()
  await place[Symbol.asyncDispose]()
})
const view = (path: string): WebSocket => new WebSocket(`ws://127.0.0.1:${(relay.address() as { port: number }).port}${path}`)

test('a viewer that never says that it read is cut off, one that does gets all', async () => {
  const silent = view('/acknowledges')
  let got = 0
  silent.on('message', (data: Buffer) => {
    got += data.length
  })
  const [code] = await once(silent, 'close')
  expect(code).toBe(closeCodes.slow)
  expect(got).toBeLessThan(bytes / 4)

  const reads = view('/acknowledges')
  let read = 0
  const all = new Promise<void>((resolve) => {
    reads.on('message', (data: Buffer) => {
      read += data.length
      reads.send(JSON.stringify({ type: 'taken', bytes: data.length }))
      if (read === bytes) resolve()
    })
  })
  await all
  reads.terminate()
})

test.each(['/late', '/slowly'])('a viewer that disconnects before the host process answers leaves no connection there: %s', async (how) => {
  const before = ended
  const socket = view(how)
  await once(socket, 'open')
  socket.terminate()
  await expect.poll(() => ended).toBe(before + 1)
  await expect.poll(() => new Promise((resolve) => quiet.getConnections((_, count) => resolve(count)))).toBe(0)
})

test('a viewer that takes nothing off its connection is cut off, too', async () => {
  const silent = view('/')
  await once(silent, 'open')
  silent.pause()
  // Here it is only visible that the other side ended it, because the sent data comes before the reason.
  await expect.poll(() => relay.clients.size).toBe(0)
  silent.terminate()
})
