import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import dnsPacket from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answer } from '../../../src/egress/dns/dns.ts'
import { serveDnsTcp, serveDnsUdp } from '../../../src/egress/dns/dns-server.ts'

const decide = (name: string | null) => (name === 'good.example' ? '198.18.0.1' : null)
const edns = { type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [] } as unknown as dnsPacket.OptAnswer

function query(name: string, type = 'A', additionals: dnsPacket.Answer[] = []): Buffer {
  return dnsPacket.encode({
    type: 'query',
    id: 4711,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ name, type: type as dnsPacket.RecordType }],
    additionals,
  })
}

/** Returns a query whose name is given as raw labels. */
function rawQuery(labels: Buffer, tail = Buffer.from([0, 1, 0, 1])): Buffer {
  return Buffer.concat([Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), labels, tail])
}

function decoded(response: Buffer | null) {
  if (response === null) throw new Error('no response')
  return dnsPacket.decode(response) as dnsPacket.DecodedPacket & { rcode: string }
}

describe('answer', () => {
  test('an allowed name has its A record, in the case that was asked', () => {
    const response = decoded(answer(query('GoOd.Example'), decide))
    expect(response).toMatchObject({ id: 4711, rcode: 'NOERROR', flag_qr: true, flag_rd: true, flag_ra: true, additionals: [] })
    expect(response.questions).toEqual([{ name: 'GoOd.Example', type: 'A', class: 'IN' }])
    expect(response.answers).toMatchObject([{ name: 'GoOd.Example', type: 'A', ttl: 60, data: '198.18.0.1' }])
  })

  test.each(['AAAA', 'HTTPS', 'SVCB', 'TXT', 'MX', 'ANY', 'UNKNOWN_64'])('an allowed name has nothing of type %s, and no error', (type) => {
    expect(decoded(answer(query('good.example', type), decide))).toMatchObject({ rcode: 'NOERROR', answers: [] })
  })

  test('a denied name does not exist', () => {
    expect(decoded(answer(query('bad.example'), decide))).toMatchObject({ rcode: 'NXDOMAIN', answers: [], additionals: [] })
  })

  test('with EDNS a denial says that it is one (RFC 8914)', () => {
    const { rcode, additionals } = decoded(answer(query('bad.example', 'A', [edns]), decide))
    expect(rcode).toBe('NXDOMAIN')
    const [opt] = additionals as unknown as { options: { code: number; data: Buffer }[] }[]
    expect(opt?.options[0]?.code).toBe(15)
    expect(opt?.options[0]?.data.readUInt16BE(0)).toBe(15)
  })

  test.each([
    ['a label with a dot in it', Buffer.from('\x0cgood.example\0', 'latin1')],
    ['a NUL', Buffer.from('\x04go\0d\x07example\0', 'latin1')],
    ['a space', Buffer.from('\x05good \x07example\0', 'latin1')],
    ['UTF-8', Buffer.from('\x05g\xc3\xb6od\x07example\0', 'latin1')],
  ])('%s is denied as written and never read as another name', (_what, labels) => {
    const asked: (string | null)[] = []
    const response = answer(rawQuery(labels), (name) => {
      asked.push(name)
      return null
    })
    expect(asked).toEqual([null])
    expect((response?.[3] ?? 0) & 15).toBe(3)
    expect(response?.subarray(12)).toEqual(rawQuery(labels).subarray(12))
  })

  test.each([
    [
      'two questions',
      Buffer.concat([
        Buffer.from([0, 7, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0]),
        query('good.example').subarray(12),
        query('good.example').subarray(12),
      ]),
      1,
    ],
    ['no question', Buffer.from([0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1],
    ['a pointer to itself', rawQuery(Buffer.from([0xc0, 12])), 1],
    ['a pointer into the header', rawQuery(Buffer.from([1, 97, 0xc0, 0])), 1],
    ['a name that never ends', rawQuery(Buffer.alloc(300, 1)), 1],
    ['an answer in a query', Buffer.concat([Buffer.from([0, 7, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0]), query('good.example').subarray(12)]), 1],
    ['an update', Buffer.concat([Buffer.from([0, 7, 0x28, 0, 0, 1, 0, 0, 0, 0, 0, 0]), query('good.example').subarray(12)]), 4],
    ['class CHAOS', rawQuery(Buffer.from('\x04good\x07example\0', 'latin1'), Buffer.from([0, 1, 0, 3])), 5],
  ])('%s is an error without a lookup', (_what, bytes, rcode) => {
    const response = answer(bytes, () => {
      throw new Error('asked')
    })
    expect((response?.[3] ?? 0) & 15).toBe(rcode)
    expect(response?.readUInt16BE(0)).toBe(7)
  })

  test.each([
    ['a response', Buffer.concat([Buffer.from([0, 7, 0x81]), query('good.example').subarray(3)])],
    ['a stub', Buffer.alloc(11)],
    ['5 KB', Buffer.alloc(5_000)],
  ])('%s is not answered', (_what, bytes) => {
    expect(answer(bytes, decide)).toBeNull()
  })

  test('arbitrary bytes never throw, never yield an address for another name, and answers always decode', () => {
    const damaged = fc
      .tuple(fc.constantFrom('good.example', 'bad.example'), fc.nat(40), fc.integer({ min: 0, max: 255 }))
      .map(([name, at, byte]) => {
        const bytes = query(name, 'A', [edns])
        bytes[at % bytes.length] = byte
        return new Uint8Array(bytes)
      })
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), damaged), (bytes) => {
        const asked: (string | null)[] = []
        const response = answer(bytes, (name) => {
          asked.push(name)
          return decide(name)
        })
        expect(asked.length).toBeLessThanOrEqual(1)
        if (response === null) return
        expect(response.length).toBeLessThan(bytes.length + 100)
        const { answers = [] } = dnsPacket.decode(response)
        if (answers.length > 0) expect(asked).toEqual(['good.example'])
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('served', () => {
  test('over UDP and TCP to a real client', async () => {
    const udp = createSocket('udp4')
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    serveDnsUdp(udp, (query) => answer(query, decide))
    const resolver = new Resolver({ tries: 1 })
    resolver.setServers([`127.0.0.1:${udp.address().port}`])
    expect(await resolver.resolve4('good.example', { ttl: true })).toEqual([{ address: '198.18.0.1', ttl: 60 }])
    await expect(resolver.resolve6('good.example')).rejects.toMatchObject({ code: 'ENODATA' })
    await expect(resolver.resolve4('bad.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    udp.close()
  })

  async function tcpServer(queryMs?: number) {
    const server = createServer()
    const end = serveDnsTcp(server, (query) => answer(query, decide), queryMs === undefined ? {} : { queryMs })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      port: (server.address() as AddressInfo).port,
      async [Symbol.asyncDispose]() {
        end()
        server.close()
        await once(server, 'close')
      },
    }
  }
  const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const framed = (bytes: Buffer) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])

  test('several queries on one TCP connection, cut anywhere', async () => {
    await using server = await tcpServer()
    const socket = connect(server.port, '127.0.0.1')
    const stream = Buffer.concat([framed(query('good.example')), framed(query('bad.example')), framed(query('good.example'))])
    for (let at = 0; at < stream.length; at += 7) {
      socket.write(stream.subarray(at, at + 7))
      await new Promise((resolve) => setImmediate(resolve))
    }
    let got: Buffer = Buffer.alloc(0)
    const rcodes: string[] = []
    for await (const chunk of socket) {
      got = Buffer.concat([got, chunk as Buffer])
      while (got.length >= 2 && got.length >= 2 + got.readUInt16BE(0)) {
        rcodes.push(decoded(got.subarray(2, 2 + got.readUInt16BE(0))).rcode)
        got = got.subarray(2 + got.readUInt16BE(0))
      }
      if (rcodes.length === 3) break
    }
    expect(rcodes).toEqual(['NOERROR', 'NXDOMAIN', 'NOERROR'])
  })

  test.each([
    ['a query that is too long', Buffer.from([0xff, 0xff, 0])],
    ['no query at all', framed(Buffer.alloc(3))],
  ])('%s ends the TCP connection', async (_what, bytes) => {
    await using server = await tcpServer()
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    socket.write(bytes)
    socket.resume()
    await closed(socket)
  })

  test('an answer that cannot be made is none, and the next question has one again', async () => {
    let fails: 'at once' | 'later' | 'no' = 'at once'
    const respond = (bytes: Buffer): Buffer | null | Promise<null> => {
      if (fails === 'at once') throw new Error('EMFILE')
      return fails === 'later' ? Promise.reject(new Error('EMFILE')) : answer(bytes, decide)
    }
    const udp = createSocket('udp4')
    serveDnsUdp(udp, respond)
    const tcp = createServer()
    const end = serveDnsTcp(tcp, respond)
    udp.bind(0, '127.0.0.1')
    tcp.listen(0, '127.0.0.1')
    await Promise.all([once(udp, 'listening'), once(tcp, 'listening')])
    const asking = createSocket('udp4')
    try {
      for (const each of ['at once', 'later'] as const) {
        fails = each
        asking.send(query('good.example'), udp.address().port, '127.0.0.1')
        const client = connect((tcp.address() as AddressInfo).port, '127.0.0.1')
        client.on('error', () => {})
        const bytes = query('good.example')
        client.write(Buffer.concat([Buffer.from([0, bytes.length]), bytes]))
        await new Promise((resolve) => client.once('close', resolve))
      }
      fails = 'no'
      const answered = once(asking, 'message')
      asking.send(query('good.example'), udp.address().port, '127.0.0.1')
      expect(dnsPacket.decode((await answered)[0]).answers).toHaveLength(1)
    } finally {
      asking.close()
      udp.close()
      tcp.close()
      end()
    }
  })

  test('a query that drips in is cut off, though bytes keep coming', async () => {
    await using server = await tcpServer(200)
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    const drip = setInterval(() => socket.write(Buffer.from([1])), 20)
    socket.resume()
    await closed(socket)
    clearInterval(drip)
  })
})
