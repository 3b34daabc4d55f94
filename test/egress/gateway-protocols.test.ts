import { randomBytes } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLab, overTls, publicAddress, tlsOver } from '../support/egress-lab.ts'
import { echo, ending, get, until, web } from '../support/egress-peers.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

describe('TLS', () => {
  test('goes through to the address that the name resolved to, and is reported', async () => {
    await using lab = await openLab(network, [{ host: 'a.example' }])
    await lab.upstream(443, overTls(echo))
    const client = tlsOver(await network.connect('198.18.0.1', 443), 'a.example')
    const sent = randomBytes(500_000)
    client.end(sent)
    expect((await buffer(client)).equals(sent)).toBe(true)
    const end = await lab.event('egress.end')
    expect(lab.resolved).toEqual(['a.example'])
    expect(lab.dialled).toEqual([{ address: publicAddress, family: 4, port: 443 }])
    expect(lab.events[0]).toMatchObject({
      kind: 'egress.allow',
      cell: 'test-cell',
      data: { host: 'a.example', port: 443, address: publicAddress, protocol: 'tls' },
    })
    const summary = lab.gateway.summary()
    expect(summary).toMatchObject({ mode: 'allowlist', connections: 1, bytesOut: end.data['bytesOut'], denied: [] })
    expect(summary.reached).toMatchObject([{ host: 'a.example', port: 443, connections: 1 }])
    expect(summary.bytesIn).toBeGreaterThan(sent.length)
  })

  test.each([
    ['another SNI', 'b.example', 'sni-mismatch'],
    ['no SNI', '', 'no-sni'],
  ])('%s is reset, and nothing is resolved', async (_what, servername, reason) => {
    await using lab = await openLab(network, [{ host: 'a.example' }, { host: 'b.example' }])
    const client = await network.connect('198.18.0.1', 443)
    const ended = ending(client)
    tlsOver(client, servername)
    await ended
    expect((await lab.event('egress.deny', reason)).data).toMatchObject({ host: 'a.example', port: 443 })
    expect(lab.resolved).toEqual([])
    expect(lab.gateway.summary().denied).toEqual([{ host: 'a.example', port: 443, reason, count: 1 }])
  })

  test('port 443 speaks TLS and nothing else, and not too slowly', async () => {
    await using lab = await openLab(network, [{ host: 'a.example' }], { limits: { firstBytesMs: 100 } })
    const plain = await network.connect('198.18.0.1', 443)
    plain.write(get('/'))
    expect(await ending(plain)).toBe('ECONNRESET')
    await lab.event('egress.deny', 'not-tls')
    const silent = await network.connect('198.18.0.1', 443)
    expect(await ending(silent)).toBe('ECONNRESET')
    const slow = await network.connect('198.18.0.1', 443)
    const drip = setInterval(() => slow.write(Buffer.from([22])), 20)
    await ending(slow)
    clearInterval(drip)
    expect(lab.resolved).toEqual([])
  })
})

describe('plaintext HTTP', () => {
  test('every request of a connection is checked, not just the first', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [80] }])
    await lab.upstream(80, web())
    const client = await network.connect('198.18.0.1', 80)
    client.write(get('/one'))
    await until(client, 'a.example/one')
    client.write(get('/two'))
    await until(client, 'a.example/two')
    const ended = ending(client)
    client.write(get('/three', 'b.example'))
    expect(await ended).toBe('ECONNRESET')
    expect((await lab.event('egress.deny', 'host-mismatch')).data).toMatchObject({ host: 'a.example', port: 80 })
    expect((await lab.event('egress.end')).data['how']).toBe('refused')
  })

  test('a first request for another host is refused before anything is resolved', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [80] }])
    const client = await network.connect('198.18.0.1', 80)
    client.write(get('/', 'b.example'))
    expect(await text(client)).toMatch(/^HTTP\/1\.1 403 [\s\S]*\r\n\r\npaddock: denied \(host-mismatch\): a\.example:80: .*\n$/)
    await lab.event('egress.deny', 'host-mismatch')
    expect(lab.resolved).toEqual([])
  })

  test('large bodies go through, and the answer after the client has ended its side', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [80] }])
    let seen = 0
    const server = createHttpServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        seen += chunk.length
      })
      request.on('end', () => response.setHeader('connection', 'close').end('thanks'))
    })
    await lab.upstream(80, (socket) => server.emit('connection', socket))
    const client = await network.connect('198.18.0.1', 80)
    client.write('POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 20000000\r\n\r\n')
    client.end(Buffer.alloc(20_000_000))
    expect(await text(client)).toContain('thanks')
    expect(seen).toBe(20_000_000)
  })

  test('after a websocket upgrade that the server takes, all goes through; bytes are held until then', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [80] }])
    const heard: string[] = []
    await lab.upstream(80, (socket) => {
      socket.on('data', (chunk) => {
        heard.push(String(chunk))
        if (heard.length === 1) setTimeout(() => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 50)
        else socket.end('pong')
      })
    })
    const client = await network.connect('198.18.0.1', 80)
    client.write('GET / HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n\x81frames')
    expect(await until(client, 'pong')).toContain('101')
    expect(heard[0]).not.toContain('frames')
    expect(heard[1]).toBe('\x81frames')
  })

  test('after an upgrade that the server refuses, the client is still checked', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [80] }])
    await lab.upstream(
      80,
      (socket) => void socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
    )
    const client = await network.connect('198.18.0.1', 80)
    client.write(`GET / HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${get('/', 'b.example')}`)
    await ending(client)
    await lab.event('egress.deny', 'host-mismatch')
  })
})

describe('other ports', () => {
  test('a server that speaks first is heard, though the client is silent', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [22] }])
    await lab.upstream(22, (socket) => {
      socket.write('SSH-2.0-test\r\n')
      echo(socket)
    })
    const client = await network.connect('198.18.0.1', 22)
    await until(client, 'SSH-2.0-test')
    client.end(get('/', 'b.example'))
    expect(await text(client)).toBe(get('/', 'b.example'))
  })

  test.each([
    ['HTTP', get('/', 'b.example'), 'host-mismatch'],
    ['HTTP behind an empty line', `\r\n${get('/', 'b.example')}`, 'not-http'],
    ['h2c', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'not-http'],
    ['half a request line', 'GET / HT', 'malformed'],
  ])('%s is checked, at once or after a silence', async (_what, bytes, reason) => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }], { limits: { sniffMs: 50, firstBytesMs: 300 } })
    await lab.upstream(9000, echo)
    const quick = await network.connect('198.18.0.1', 9000)
    quick.write(bytes)
    // Only a readable request can be answered.
    if (reason === 'host-mismatch') expect(await text(quick)).toMatch(/^HTTP\/1\.1 403 /)
    else expect(await ending(quick)).toBe('ECONNRESET')
    await lab.event('egress.deny', reason)
    expect(lab.dialled).toEqual([])
    const slow = await network.connect('198.18.0.1', 9000)
    await lab.event('egress.allow')
    slow.write(bytes)
    expect(await ending(slow)).toBe('ECONNRESET')
    expect(lab.gateway.summary().denied).toMatchObject([{ reason, count: 2 }])
    expect((await lab.event('egress.end')).data['bytesOut']).toBe(0)
  })

  test.each([
    ['a line', 'PING\r\n'],
    ['JSON', '{"id":1}'],
    ['bytes', '\0\x01\x02'],
    ['a word without an end', 'word'],
  ])('%s goes through as it is, with half-closing both ways', async (_what, bytes) => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    const client = await network.connect('198.18.0.1', 9000)
    client.end(bytes)
    expect(await text(client)).toBe(bytes)
    expect((await lab.event('egress.end')).data).toMatchObject({ how: 'closed', bytesOut: bytes.length, bytesIn: bytes.length })
  })

  test('a reset goes through, both ways', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    const arrived: Socket[] = []
    await lab.upstream(9000, (socket) => void arrived.push(socket.resume()))
    const first = await network.connect('198.18.0.1', 9000)
    first.write('PING\n')
    await expect.poll(() => arrived.length).toBe(1)
    const gone = ending(first)
    arrived[0]?.resetAndDestroy()
    expect(await gone).toBe('ECONNRESET')
    const second = await network.connect('198.18.0.1', 9000)
    second.write('PING\n')
    await expect.poll(() => arrived.length).toBe(2)
    const there = ending(arrived[1] as Socket)
    second.resetAndDestroy()
    expect(await there).toBe('ECONNRESET')
  })
})
