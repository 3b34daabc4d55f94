import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { decode, encode } from 'dns-packet'
import { afterEach, describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../../src/audit/event.ts'
import { openGateway } from '../../../src/egress/cell-gateway.ts'
import { forwardDns } from '../../../src/egress/dns/dns-forward.ts'
import type { Resolver } from '../../../src/egress/dns/resolver.ts'
import type { EgressNotice } from '../../../src/egress/notice.ts'
import { openTestNetwork } from '../../support/netns.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const each of closers.splice(0)) each()
})

const types = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28, HTTPS: 65, AXFR: 252, ANY: 255 } as const
type Type = keyof typeof types

/** Returns a query. dns-packet does not know every type, so the number is written afterwards. */
function question(name: string, type: Type, id = 7): Buffer {
  const query = encode({ type: 'query', id, flags: 0x0100, questions: [{ type: 'A', name }] })
  query.writeUInt16BE(types[type], query.length - 4)
  return query
}

/** Starts a DNS server on loopback that answers each datagram with the packets of `respond`. */
async function server(respond: (query: Buffer) => readonly Buffer[]): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    for (const each of respond(query)) socket.send(each, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closers.push(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

describe('forwarding', () => {
  test('asks under its own id, accepts an answer only to that, and returns it under the client’s', async () => {
    const ids: number[] = []
    const at = await server((query) => {
      ids.push(query.readUInt16BE(0))
      const wrong = Buffer.from(query)
      wrong.writeUInt16BE((query.readUInt16BE(0) + 1) & 0xffff, 0)
      wrong[2] = 0x80
      const right = encode({
        type: 'response',
        id: query.readUInt16BE(0),
        questions: [{ type: 'TXT', name: 'x.example' }],
        answers: [{ type: 'TXT', name: 'x.example', data: 'right' }],
      })
      const other = encode({ type: 'response', id: query.readUInt16BE(0), questions: [{ type: 'TXT', name: 'y.example' }], answers: [] })
      return [wrong, query, other, right]
    })
    const forward = forwardDns(() => [at])
    const found = await Promise.all([1, 2, 3, 4].map((id) => forward(question('x.example', 'TXT', id), 'udp')))
    for (const [index, each] of found.entries()) {
      const packet = decode(each ?? Buffer.alloc(0))
      expect(packet.id).toBe(index + 1)
      expect(String((packet.answers?.[0] as { data: Buffer[] } | undefined)?.data[0])).toBe('right')
    }
    expect(new Set([...ids, 1, 2, 3, 4]).size).toBeGreaterThan(4)
  })

  test('the next server is asked where one says nothing, and null is what remains', async () => {
    const dead = createSocket('udp4')
    dead.bind(0, '127.0.0.1')
    await once(dead, 'listening')
    closers.push(() => dead.close())
    const silent = `127.0.0.1:${dead.address().port}`
    expect(await forwardDns(() => [])(question('x.example', 'TXT'), 'udp')).toBeNull()
    const good = await server((query) => [
      encode({ type: 'response', id: query.readUInt16BE(0), questions: decode(query).questions ?? [] }),
    ])
    expect(await forwardDns(() => [silent, good])(question('x.example', 'TXT'), 'udp')).not.toBeNull()
  })

  /** No packet can be sent to these: connect(2) fails at once, or the port is invalid. Without an error listener, the process would end. */
  test.each(['255.255.255.255', '127.0.0.1:0', '127.0.0.1:99999', '[::1]:0'])(
    'a server that cannot be asked (%s) is passed over, and the next one is asked',
    async (unreachable) => {
      const good = await server((query) => [
        encode({ type: 'response', id: query.readUInt16BE(0), questions: decode(query).questions ?? [] }),
      ])
      const forward = forwardDns(() => [unreachable, good])
      const uncaught: unknown[] = []
      const note = (error: unknown): void => void uncaught.push(error)
      process.on('uncaughtExceptionMonitor', note)
      try {
        expect(await forward(question('x.example', 'TXT'), 'udp')).not.toBeNull()
        expect(await forwardDns(() => [unreachable])(question('x.example', 'TXT'), 'tcp')).toBeNull()
        await new Promise((resolve) => setTimeout(resolve, 50))
      } finally {
        process.off('uncaughtExceptionMonitor', note)
      }
      expect(uncaught).toEqual([])
    },
  )

  test('over TCP what comes in pieces is put together, and what is cut off is nothing', async () => {
    const serve = async (pieces: (query: Buffer) => readonly Buffer[]): Promise<string> => {
      const tcp = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.once('data', async (query) => {
          for (const each of pieces(query)) {
            socket.write(each)
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
          socket.end()
        })
      }).listen(0, '127.0.0.1')
      await once(tcp, 'listening')
      closers.push(() => tcp.close())
      return `127.0.0.1:${(tcp.address() as AddressInfo).port}`
    }
    const whole = (query: Buffer): Buffer => {
      const body = encode({ type: 'response', id: query.readUInt16BE(2), questions: decode(query.subarray(2)).questions ?? [] })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(body.length)
      return Buffer.concat([length, body])
    }
    const pieces = await serve((query) => [...whole(query)].map((byte) => Buffer.from([byte])))
    expect(decode((await forwardDns(() => [pieces])(question('x.example', 'TXT', 9), 'tcp')) ?? Buffer.alloc(0)).id).toBe(9)
    const cut = await serve((query) => [whole(query).subarray(0, 5)])
    expect(await forwardDns(() => [cut])(question('x.example', 'TXT'), 'tcp')).toBeNull()
  })
})

describe('names under public', () => {
  const resolver = (waiting?: Promise<void>): Resolver => ({
    async resolve(name) {
      await waiting
      if (name === 'mixed.example')
        return [
          { address: '10.0.0.1', family: 4 },
          { address: '93.184.216.34', family: 4 },
          { address: 'fd00::1', family: 6 },
          { address: '2606:2800::1', family: 6 },
        ]
      if (name === 'inside.example') return [{ address: '192.168.0.1', family: 4 }]
      if (name === 'broken.example') throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    },
  })
  const ask = `
    const { createSocket } = require('node:dgram'); const [hex] = process.argv.slice(1)
    const socket = createSocket('udp4'); socket.on('message', (answer) => { console.log(answer.toString('hex')); process.exit() })
    socket.send(Buffer.from(hex, 'hex'), 53, '127.0.0.53'); setTimeout(() => process.exit(), 4000)`

  test('leave internal addresses out, and every one is in the audit log', async () => {
    await using network = await openTestNetwork()
    const events: AuditEvent[] = []
    const notices: EgressNotice[] = []
    const gateway = openGateway({
      cell: 'c',
      policy: { mode: 'public', entries: [], blocked: [] },
      resolver: { resolve: () => Promise.reject(new Error('not this one')) },
      realResolver: resolver(),
      forwardDns: async (query) =>
        encode({
          type: 'response',
          id: query.readUInt16BE(0),
          questions: decode(query).questions ?? [],
          answers: [{ type: 'MX', name: 'mail.example', data: { exchange: 'mx.example', preference: 1 } }],
        }),
      audit: (event) => events.push(event),
      onNotice: (notice) => notices.push(notice),
    })
    await network.serve(gateway)
    const told = async (name: string, type: Type) => {
      const { stdout } = await network.run([process.execPath, '-e', ask, question(name, type).toString('hex')])
      const packet = decode(Buffer.from(stdout.trim(), 'hex'))
      return [
        (packet as { rcode?: string }).rcode,
        ...(packet.answers ?? []).map((each) => ('data' in each && typeof each.data === 'string' ? each.data : each.type)),
      ]
    }
    expect(await told('mixed.example', 'A')).toEqual(['NOERROR', '93.184.216.34'])
    expect(await told('mixed.example', 'AAAA')).toEqual(['NOERROR', '2606:2800::1'])
    expect(await told('inside.example', 'A')).toEqual(['NXDOMAIN'])
    expect(await told('nobody.example', 'A')).toEqual(['NXDOMAIN'])
    expect(await told('broken.example', 'A')).toEqual(['SERVFAIL'])
    expect(await told('mail.example', 'MX')).toEqual(['NOERROR', 'MX'])
    expect(await told('1.0.168.192.in-addr.arpa', 'PTR')).toEqual(['NXDOMAIN'])
    for (const each of ['ANY', 'AXFR'] as const) expect(await told('mixed.example', each)).toEqual(['REFUSED'])
    expect(await told('mixed.example', 'HTTPS')).toEqual(['NOERROR'])
    await gateway.close()
    const names = events.filter((each) => each.kind === 'egress.dns').map((each) => each.data['name'])
    for (const each of ['mixed.example', 'inside.example', 'nobody.example', 'broken.example', 'mail.example', '1.0.168.192.in-addr.arpa'])
      expect(names).toContain(each)
    const internal = notices.flatMap((each) =>
      each.kind === 'internal-address' ? [[each.host, ...each.addresses.map((one) => one.address)]] : [],
    )
    expect(internal).toEqual([
      ['inside.example', '192.168.0.1'],
      ['1.0.168.192.in-addr.arpa', '192.168.0.1'],
    ])
  })

  test('a cell that asks for many slow names delays only itself', async () => {
    const { respondWithRealNames } = await import('../../../src/egress/dns/dns-real.ts')
    const { EgressLedger } = await import('../../../src/egress/ledger.ts')
    const { promise, resolve } = Promise.withResolvers<void>()
    const respond = respondWithRealNames({
      served: () => null,
      serves: () => false,
      resolver: resolver(promise),
      forward: async () => null,
      hideInternal: true,
      ownAddresses: () => new Set(),
      ledger: new EgressLedger('c', 'public', () => undefined),
      notice: () => {},
      resolveMs: 1_000,
    })
    const answers = Array.from({ length: 100 }, (_, index) => respond(question(`n${index}.example`, 'A', index), 'udp'))
    const atOnce = answers.filter((each) => !(each instanceof Promise)).map((each) => decode(each as Buffer) as { rcode?: string })
    expect(atOnce).toHaveLength(36)
    for (const each of atOnce) expect(each.rcode).toBe('SERVFAIL')
    resolve()
    expect((await Promise.all(answers)).every((each) => each !== null)).toBe(true)
  })
})
