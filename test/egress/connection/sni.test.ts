import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { connect } from 'node:tls'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { HelloReader, type HelloResult } from '../../../src/egress/connection/sni.ts'

/** Returns the bytes that node:tls actually sends on a socket. */
async function captureHello(options: { servername?: string; ALPNProtocols?: string[] }): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', rejectUnauthorized: false, ...options }).on(
    'error',
    () => {},
  )
  const [socket] = await once(server, 'connection')
  let hello = Buffer.alloc(0)
  for await (const chunk of socket) {
    hello = Buffer.concat([hello, chunk])
    if (hello.length >= 5 && hello.length >= 5 + hello.readUInt16BE(3)) break
  }
  client.destroy()
  socket.destroy()
  server.close()
  return hello
}

const read = (...chunks: Uint8Array[]): HelloResult => {
  const reader = new HelloReader()
  let result: HelloResult = { kind: 'need-more' }
  for (const chunk of chunks) result = reader.push(chunk)
  return result
}

const u8 = (value: number) => Buffer.from([value])
const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const vector = (size: 1 | 2, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([size === 1 ? u8(body.length) : u16(body.length), body])
}
const extension = (type: number, ...body: Buffer[]) => Buffer.concat([u16(type), vector(2, ...body)])
const sni = (...names: (string | Buffer)[]) =>
  extension(
    0,
    vector(2, ...names.map((name) => Buffer.concat([u8(0), vector(2, typeof name === 'string' ? Buffer.from(name, 'latin1') : name)]))),
  )
const body = (...extensions: Buffer[]) =>
  Buffer.concat([u16(0x0303), Buffer.alloc(32, 7), vector(1), vector(2, u16(0x1301)), vector(1, u8(0)), vector(2, ...extensions)])
const message = (content: Buffer) =>
  Buffer.concat([Buffer.from([1, content.length >> 16, (content.length >> 8) & 255, content.length & 255]), content])
const record = (content: Buffer, type = 22) => Buffer.concat([Buffer.from([type, 3, 1]), u16(content.length), content])
const hello = (...extensions: Buffer[]) => record(message(body(...extensions)))

describe('a hello of node:tls', () => {
  let real: Buffer
  beforeAll(async () => {
    real = await captureHello({ servername: 'api.Example.com', ALPNProtocols: ['h2', 'http/1.1'] })
  })

  test('is read', () => {
    expect(read(real)).toEqual({ kind: 'hello', hello: { serverName: 'api.example.com', alpn: ['h2', 'http/1.1'], hasEch: false } })
  })

  test('is read the same however segments and records cut it, and asks for more until it is whole', () => {
    const cuts = fc.array(fc.nat(real.length), { maxLength: 8 })
    const pieces = (bytes: Buffer, at: number[]) => {
      const edges = [0, ...at.map((each) => Math.min(each, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
    }
    fc.assert(
      fc.property(cuts, cuts, (records, segments) => {
        const cut = Buffer.concat(
          pieces(real.subarray(5), records)
            .filter((each) => each.length > 0)
            .map((each) => record(each)),
        )
        const chunks = pieces(cut, segments)
        expect(read(...chunks)).toEqual(read(real))
        expect(read(cut.subarray(0, cut.length - 1)).kind).toBe('need-more')
      }),
      { numRuns: 500 },
    )
    expect(read(...Array.from(real, (byte) => Uint8Array.of(byte)))).toEqual(read(real))
  })

  test('damaged anywhere, it never throws, and names another server only where the name itself was hit', () => {
    const at = real.indexOf('api.Example.com')
    fc.assert(
      fc.property(fc.nat(real.length - 1), fc.integer({ min: 0, max: 255 }), (index, byte) => {
        const damaged = Buffer.from(real)
        damaged[index] = byte
        const result = read(damaged)
        if (result.kind !== 'hello' || (index >= at && index < at + 15)) return
        expect(['api.example.com', null]).toContain(result.hello.serverName)
      }),
      { numRuns: 3_000 },
    )
  })

  test('a ClientHello without a server name yields no name', async () => {
    expect(read(await captureHello({}))).toMatchObject({ kind: 'hello', hello: { serverName: null } })
  })
})

test('arbitrary bytes never throw, and the result does not depend on how they are cut', () => {
  const start = fc.constantFrom(Buffer.alloc(0), Buffer.from([22, 3, 1]), hello(sni('a.example')).subarray(0, 50))
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 300 }), fc.nat(300), (head, rest, at) => {
      const bytes = Buffer.concat([head, rest])
      expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(read(bytes))
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['one name', hello(sni('a.example')), 'a.example'],
  ['with a name in capitals', hello(sni('A.EXAMPLE')), 'a.example'],
  ['GREASE and ECH beside it', hello(extension(0x0a0a), sni('a.example'), extension(0xfe0d, Buffer.alloc(9))), 'a.example'],
  ['no extensions at all', record(message(body().subarray(0, -2))), null],
])('%s', (_what, bytes, serverName) => {
  expect(read(bytes)).toMatchObject({ kind: 'hello', hello: { serverName } })
})

test.each([
  ['two names', hello(sni('a.example', 'b.example'))],
  ['the extension twice', hello(sni('a.example'), sni('a.example'))],
  ['a NUL', hello(sni('a.example\0.evil.net'))],
  ['an empty name', hello(sni(''))],
  ['an IPv4 literal', hello(sni('10.0.0.1'))],
  ['another spelling of one', hello(sni('0x7f.1'))],
  ['an IPv6 literal', hello(sni('::1'))],
  ['a final dot', hello(sni('a.example.'))],
  ['UTF-8', hello(sni(Buffer.from('bücher.example')))],
  ['another type of name', hello(extension(0, vector(2, u8(1), vector(2, Buffer.from('a.example')))))],
  ['an empty list', hello(extension(0, vector(2)))],
  ['bytes behind the list', hello(extension(0, vector(2, u8(0), vector(2, Buffer.from('a.example'))), u8(0)))],
  ['a list that is longer than its extension', hello(extension(0, Buffer.from([0, 99, 0, 0, 1, 97])))],
  ['bytes behind the extensions', record(message(Buffer.concat([body(sni('a.example')), u8(0)])))],
  ['bytes behind the hello', record(Buffer.concat([message(body(sni('a.example'))), u8(0)]))],
  ['an empty record', Buffer.concat([record(message(body(sni('a.example'))).subarray(0, 9)), record(Buffer.alloc(0)), u8(1)])],
  ['an alert in between', Buffer.concat([record(message(body(sni('a.example'))).subarray(0, 9)), record(Buffer.from([1, 0]), 21)])],
  ['another message', record(Buffer.from([2, 0, 0, 1, 0]))],
  ['a record of 20 KB', Buffer.concat([Buffer.from([22, 3, 1, 0x50, 0]), Buffer.alloc(10)])],
  [
    'a hello of 100 KB',
    Buffer.concat(
      Array.from({ length: 8 }, (_, index) =>
        record(index === 0 ? Buffer.concat([Buffer.from([1, 1, 0x90, 0]), Buffer.alloc(9_000)]) : Buffer.alloc(9_000)),
      ),
    ),
  ],
])('%s is malformed', (_what, bytes) => {
  expect(read(bytes).kind).toBe('malformed')
})

test.each([
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n')],
  ['SSL 2', Buffer.from([0x80, 0x2e, 1, 3, 1])],
  ['SSH', Buffer.from('SSH-2.0-x\r\n')],
  ['a record of version 4', Buffer.from([22, 4, 0])],
])('%s is not TLS', (_what, bytes) => {
  expect(read(bytes)).toEqual({ kind: 'not-tls' })
})
