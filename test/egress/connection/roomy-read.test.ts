import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { relay } from '../../../src/egress/connection/relay.ts'
import { connectRoomy } from '../../../src/egress/connection/roomy-read.ts'

const opened = new Set<Socket>()
afterEach(() => {
  for (const each of opened) each.destroy()
  opened.clear()
})

/** Returns both ends of a real TCP connection: the dialling one, made by `dial`, and the accepted one. */
async function pair(dial: typeof connectRoomy): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = dial({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  const [[far]] = await Promise.all([once(server, 'connection'), once(near, 'connect')])
  server.close()
  for (const socket of [near, far as Socket]) opened.add(socket.on('error', () => {}))
  return [near, far as Socket]
}

async function relayed() {
  const [client, accepted] = await pair(connect)
  const [dialled, server] = await pair(connectRoomy)
  return { client, server, dialled, accepted, end: relay(accepted, dialled) }
}

const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('connectRoomy', () => {
  test('a client that pauses repeatedly receives every byte of a fast server', async () => {
    const { client, server, end } = await relayed()
    const sent = randomBytes(48 * 1_048_576)
    const hash = createHash('sha256')
    let got = 0
    server.end(sent)
    for await (const chunk of client) {
      hash.update(chunk as Buffer)
      const before = Math.floor(got / 8_388_608)
      got += (chunk as Buffer).length
      if (Math.floor(got / 8_388_608) !== before) await wait(50)
    }
    client.end()
    expect(got).toBe(sent.length)
    expect(hash.digest('hex')).toBe(sum(sent))
    server.resume()
    expect(await end).toEqual({ how: 'closed', bytesOut: 0, bytesIn: sent.length })
  })

  test('any sizes of writes, any pauses of the client: nothing is lost, doubled or mixed up', async () => {
    const writes = fc.array(fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1_000, max: 3_000_000 })), {
      minLength: 1,
      maxLength: 12,
    })
    const stops = fc.array(fc.integer({ min: 1, max: 2_000_000 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(writes, stops, async (sizes, pauses) => {
        const { client, server, end } = await relayed()
        const parts = sizes.map((size) => randomBytes(size))
        for (const part of parts) server.write(part)
        server.end()
        const got: Buffer[] = []
        let left = pauses[0] ?? Number.POSITIVE_INFINITY
        let turn = 0
        for await (const chunk of client) {
          got.push(chunk as Buffer)
          left -= (chunk as Buffer).length
          if (left > 0) continue
          left = pauses[++turn] ?? Number.POSITIVE_INFINITY
          await wait(3)
        }
        client.end()
        server.resume()
        expect(sum(Buffer.concat(got))).toBe(sum(Buffer.concat(parts)))
        expect((await end).how).toBe('closed')
      }),
      { numRuns: 25 },
    )
  })

  test('a listener that keeps its chunks, without the promise, finds them unchanged', async () => {
    const [dialled, server] = await pair(connectRoomy)
    const sent = randomBytes(8 * 1_048_576)
    server.end(sent)
    const kept: Buffer[] = []
    for await (const chunk of dialled) kept.push(chunk as Buffer)
    expect(sum(Buffer.concat(kept))).toBe(sum(sent))
  })

  test('many small pieces that have to wait do not each hold a large buffer', async () => {
    const { client, server, dialled, accepted } = await relayed()
    const burst = Buffer.alloc(16 * 1_048_576)
    server.setNoDelay(true).write(burst)
    for (let got = 0; got < burst.length; ) got += ((await once(client, 'data')) as [Buffer])[0].length
    client.pause()
    const before = process.memoryUsage().arrayBuffers
    const piece = Buffer.alloc(256)
    for (let still = 0, last = -1; still < 500; still = last === dialled.bytesRead ? still + 1 : 0) {
      last = dialled.bytesRead
      server.write(piece)
      await new Promise(setImmediate)
    }
    expect(accepted.writableLength).toBeGreaterThan(0)
    expect(accepted.writableLength + dialled.readableLength).toBeLessThan(1_048_576)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1_048_576)
  })
})
