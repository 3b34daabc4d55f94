import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { encoded } from '../../../src/fleet/sessions/viewer-frames.ts'
import { relayTerminal } from '../../../src/server/streams/terminal.ts'
import { closeCodes } from '../../../src/server/streams/watch.ts'
import { temporary } from '../../support/temporary.ts'

const bytes = 4 * 1024 * 1024
/** Stands for a host process: it writes so many bytes to whoever connects. */
let host: Server
let relay: WebSocketServer
let place: Awaited<ReturnType<typeof temporary>>
beforeAll(async () => {
  place = await temporary()
  host = createServer((socket) => {
    socket.on('error', () => undefined)
    for (let left = bytes; left > 0; left -= 64 * 1024) socket.write(encoded(Buffer.alloc(64 * 1024, 'x')))
  }).listen(place.at('host.sock'))
  relay = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await Promise.all([once(host, 'listening'), once(relay, 'listening')])
  relay.on('connection', (socket, request) => {
    const stream = { signal: new AbortController().signal } as never
    const open = async (): Promise<Socket> => connect(place.at('host.sock'))
    const acknowledges = request.url === '/acknowledges'
    void relayTerminal(socket, open, { stream, isGood: () => true, beatMs: 200 }, { acknowledges, patienceMs: 500 })
  })
})
afterAll(async () => {
  relay.close()
  host.close()
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

test('a viewer that takes nothing off its connection is cut off, too', async () => {
  const silent = view('/')
  await once(silent, 'open')
  silent.pause()
  // Only whether the other side ended it can be seen here: what it was sent lies before the reason.
  await expect.poll(() => relay.clients.size, { timeout: 20_000 }).toBe(0)
  silent.terminate()
})
