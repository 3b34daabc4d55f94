import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeCodes } from '../../../src/server/streams/watch-fleet.ts'
import { bearer, type TestServer, testServer } from '../../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: the JSON of any frame
type Frame = any

interface Watching {
  readonly socket: WebSocket
  readonly frames: Frame[]
  readonly sizes: number[]
  /** Resolves when a frame matches. */
  until(fits: (frame: Frame) => boolean): Promise<Frame>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** Opens a WebSocket like a page. */
async function watch(query = '', headers: Readonly<Record<string, string>> = bearer(server.secrets.viewer)): Promise<Watching> {
  const { json } = await server.ask('/api/v1/tickets', { method: 'POST', headers })
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/watch${query}`, json.protocols)
  const frames: Frame[] = []
  const sizes: number[] = []
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(data))
    sizes.push(Buffer.byteLength(data))
  }
  const closed = once(socket, 'close').then(([{ code, reason }]) => ({ code, reason }))
  await once(socket, 'open')
  expect(socket.protocol).toBe('paddock.v1')
  return {
    socket,
    frames,
    sizes,
    closed,
    until: async (fits) => {
      for (;;) {
        const found = frames.find(fits)
        if (found !== undefined) return found
        await once(socket, 'message')
      }
    },
  }
}

/** Returns the received items, with those in parts reassembled. */
function itemsOf(frames: readonly Frame[]): Frame[] {
  const items: Frame[] = []
  let parts: Buffer[] = []
  for (const frame of frames) {
    if (frame.type === 'items') items.push(...frame.items)
    if (frame.type !== 'part') continue
    parts.push(Buffer.from(frame.base64, 'base64'))
    expect(frame.part).toBe(parts.length)
    if (frame.part < frame.of) continue
    items.push(JSON.parse(Buffer.concat(parts).toString()))
    parts = []
  }
  return items
}

describe('a WebSocket on the events', () => {
  it('gets each event once in frames of at most 64 KiB, however large the event', async () => {
    const texts = [
      'a',
      'ü'.repeat(40_000),
      'x'.repeat(65_000),
      'y'.repeat(300_000),
      ...Array.from({ length: 300 }, (_, index) => String(index).repeat(200)),
    ]
    server.events.add(...texts)
    const { until, frames, sizes, socket } = await watch('?after=0')
    const last = server.events.last
    await until(() => itemsOf(frames).at(-1)?.id === last)
    expect(itemsOf(frames).map(({ data }) => data.text)).toEqual(texts)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024)
    server.events.add('live')
    await until(() => itemsOf(frames).at(-1)?.id === last + 1)
    expect(itemsOf(frames).length).toBe(texts.length + 1)
    socket.close()
  })

  it('begins at its place, and is reset if that is in the future', async () => {
    const last = server.events.last
    const here = await watch()
    expect(await here.until(() => true)).toEqual({ type: 'heartbeat', last, position: last })
    const future = await watch('?after=999999')
    expect(await future.until(() => true)).toEqual({ type: 'reset', first: 1, last, position: last })
    here.socket.close()
    future.socket.close()
  })

  it('is closed at once with a code when its token is revoked or its session ends', async () => {
    const { secret } = server.tokens.create({ name: 'leaving', role: 'viewer', expiresAt: null })
    const session = await server.logIn('viewer')
    const [ofToken, ofSession, other] = [await watch('', bearer(secret)), await watch('', session), await watch()]
    await server.ask('/api/v1/tokens/leaving/revoke', { method: 'POST', headers: bearer(server.secrets.owner) })
    await server.ask('/api/v1/session', { method: 'DELETE', headers: session })
    expect(await ofToken.closed).toEqual({ code: closeCodes.credential, reason: 'credential' })
    expect(await ofSession.closed).toEqual({ code: closeCodes.credential, reason: 'credential' })
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
    other.socket.close()
  })

  it('is closed with a code when the server stops', async () => {
    const other = await testServer()
    const { json } = await other.ask('/api/v1/tickets', { method: 'POST', headers: bearer(other.secrets.viewer) })
    const socket = new WebSocket(`ws://127.0.0.1:${other.port}/api/v1/watch`, json.protocols)
    const closed = once(socket, 'close')
    await once(socket, 'message')
    await other[Symbol.asyncDispose]()
    expect((await closed)[0].code).toBe(closeCodes.stopping)
  })

  it('is closed when it sends anything, and at a frame that is too large', async () => {
    const talking = await watch()
    talking.socket.send('{}')
    expect((await talking.closed).code).toBe(closeCodes.talked)
    const flooding = await watch()
    flooding.socket.send('x'.repeat(300_000))
    expect((await flooding.closed).code).toBe(1009)
    const { socket } = await server.upgrade('/api/v1/watch', ['paddock.v1'], bearer(server.secrets.viewer))
    socket.resume().write('this is not a WebSocket frame')
    await once(socket, 'close')
  })

  it('is given up if it does not read, also while it pings, and the server serves the others', async () => {
    await server.streams(0)
    const { socket } = await server.upgrade('/api/v1/watch', ['paddock.v1'], bearer(server.secrets.viewer))
    socket.pause()
    for (let count = 0; count < 2_000; count += 1) server.events.add('z'.repeat(10_000))
    const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0])
    socket.write(Buffer.concat(Array.from({ length: 10_000 }, () => ping)))
    await server.streams(0)
    const bytes = await rest(socket)
    // The close frame is the last one: its code, then its reason.
    const close = bytes.subarray(-8)
    expect([close[0], close.readUInt16BE(2), close.subarray(4).toString()]).toEqual([0x88, closeCodes.slow, 'slow'])
    expect(bytes.length).toBeLessThan(20_000_000)
  })

  it('is refused without its protocol, on any other route, and for any other method', async () => {
    const headers = bearer(server.secrets.viewer)
    const status = async (path: string, protocols: string[]) => {
      const { status: answered, socket } = await server.upgrade(path, protocols, headers)
      socket.destroy()
      return answered
    }
    expect(await status('/api/v1/watch', ['paddock.v2'])).toBe(400)
    expect(await status('/api/v1/watch', [])).toBe(400)
    expect(await status('/api/v1/events', ['paddock.v1'])).toBe(400)
    expect(await status('/healthz', ['paddock.v1'])).toBe(400)
    expect(await status('/nothing', ['paddock.v1'])).toBe(404)
    expect((await server.ask('/api/v1/watch', { headers })).status).toBe(400)
    expect((await server.ask('/healthz', { headers: { connection: 'Upgrade', upgrade: 'h2c' } })).status).toBe(200)
  })
})

async function rest(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.resume()
  // The server waits for the reader's own close frame, which this one never sends.
  const isClose = (): boolean => Buffer.concat(chunks.slice(-2)).subarray(-4).toString() === 'slow'
  while (!isClose()) await once(socket, 'data')
  socket.destroy()
  return Buffer.concat(chunks)
}
