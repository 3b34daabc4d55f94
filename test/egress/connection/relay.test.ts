import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { type RelayEnd, type RelayOptions, relay } from '../../../src/egress/connection/relay.ts'

const opened = new Set<{ destroy(): unknown } | { close(): unknown }>()
afterEach(() => {
  for (const each of opened) 'destroy' in each ? each.destroy() : each.close()
  opened.clear()
})

/** Returns both ends of a real TCP connection, both half-open. */
async function pair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  const [[far]] = await Promise.all([once(server, 'connection'), once(near, 'connect')])
  server.close()
  for (const socket of [near, far as Socket]) opened.add(socket.on('error', () => {}))
  return [near, far as Socket]
}

async function relayed(
  options: RelayOptions = {},
): Promise<{ client: Socket; server: Socket; end: Promise<RelayEnd>; inner: [Socket, Socket] }> {
  const [client, accepted] = await pair()
  const [dialled, server] = await pair()
  return { client, server, end: relay(accepted, dialled, options), inner: [accepted, dialled] }
}

const closed = (socket: Socket) =>
  new Promise<{ code?: string | undefined }>((resolve) => {
    let failure: { code?: string | undefined } = {}
    socket.on('error', (error: NodeJS.ErrnoException) => {
      failure = error
    })
    socket.once('close', () => resolve(failure))
  })

describe('relay', () => {
  test('bytes both ways at once, and counts', async () => {
    const { client, server, end } = await relayed({ first: Buffer.from('first') })
    const [up, down] = [randomBytes(3_000_000), randomBytes(2_000_000)]
    client.end(up)
    server.end(down)
    const [gotUp, gotDown] = await Promise.all([buffer(server), buffer(client)])
    expect(gotUp.equals(Buffer.concat([Buffer.from('first'), up]))).toBe(true)
    expect(gotDown.equals(down)).toBe(true)
    expect(await end).toEqual({ how: 'closed', bytesOut: up.length + 5, bytesIn: down.length })
  })

  test.each(['client', 'server'] as const)('after the %s has ended its side, the other side goes on', async (who) => {
    const { client, server, end } = await relayed()
    const [ended, speaking] = who === 'client' ? [client, server] : [server, client]
    ended.end('question')
    expect((await buffer(speaking)).toString()).toBe('question')
    speaking.write('a long ')
    await once(ended, 'data')
    speaking.end('answer')
    expect((await buffer(ended)).toString()).toBe('answer')
    expect((await end).how).toBe('closed')
  })

  test.each(['client', 'server'] as const)('a reset by the %s resets the other side', async (who) => {
    const { client, server, end } = await relayed()
    const [resetting, other] = who === 'client' ? [client, server] : [server, client]
    resetting.write('x')
    await once(other.resume(), 'data')
    const gone = closed(other)
    resetting.resetAndDestroy()
    expect((await gone).code).toBe('ECONNRESET')
    expect((await end).how).toBe('reset')
  })

  test('a peer that does not read stops the other one; memory stays bounded; nothing is lost', async () => {
    const { client, server, end, inner } = await relayed()
    const chunk = Buffer.alloc(256 * 1_024, 'x')
    let written = 0
    while (written < 64 * 1_048_576) {
      written += chunk.length
      if (client.write(chunk)) continue
      const drained = await Promise.race([
        once(client, 'drain').then(() => true),
        new Promise((resolve) => setTimeout(resolve, 500, false)),
      ])
      if (!drained) break
    }
    expect(written).toBeLessThan(64 * 1_048_576)
    for (const socket of inner) expect(socket.writableLength + socket.readableLength).toBeLessThan(1_048_576)
    client.end()
    let got = 0
    for await (const each of server) got += (each as Buffer).length
    expect(got).toBe(written)
    server.end()
    expect((await end).how).toBe('closed')
  })

  test('a corpse that is half open and silent is cleared away', async () => {
    const { client, server, end } = await relayed({ halfOpenMs: 50 })
    const gone = closed(client.resume())
    server.resume()
    client.end()
    expect((await end).how).toBe('idle')
    expect((await gone).code).toBe('ECONNRESET')
  })

  test('two open sides may be silent for longer than that', async () => {
    const { client, server, end } = await relayed({ halfOpenMs: 30 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    client.end('still here')
    expect((await buffer(server)).toString()).toBe('still here')
    server.end()
    await closed(client.resume())
    expect((await end).how).toBe('closed')
  })

  test('a signal resets both', async () => {
    const controller = new AbortController()
    const { client, server, end } = await relayed({ signal: controller.signal })
    const gone = [closed(client.resume()), closed(server.resume())]
    controller.abort()
    expect((await end).how).toBe('aborted')
    expect((await Promise.all(gone)).map(({ code }) => code)).toEqual(['ECONNRESET', 'ECONNRESET'])
  })

  test('sockets that are gone already, and a signal that has been given already, end it at once', async () => {
    const [client, accepted] = await pair()
    const [dialled] = await pair()
    const gone = closed(accepted)
    client.resetAndDestroy()
    await closed(accepted.resume() && client)
    await gone
    expect((await relay(accepted, dialled)).how).toBe('reset')
    const { end } = await relayed({ signal: AbortSignal.abort() })
    expect((await end).how).toBe('aborted')
  })

  test('a proxy in between may refuse, and then both are reset', async () => {
    const refusal = new Error('no')
    const through = new Transform({
      transform: (chunk: Buffer, _encoding, done) => (chunk.includes('bad') ? done(refusal) : done(null, chunk)),
    })
    const { client, server, end } = await relayed({ through })
    client.write('good')
    expect(String((await once(server, 'data'))[0])).toBe('good')
    const gone = closed(client.resume())
    client.write('bad')
    expect(await end).toMatchObject({ how: 'refused', error: refusal })
    expect((await gone).code).toBe('ECONNRESET')
  })
})
