import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGateway } from '../../src/egress/gateway.ts'
import { openLab, overTls, publicAddress, tlsOver } from '../support/egress-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** How a connection ended for its client: the code of its error, or null. */
function ending(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let code: string | null = null
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? error.message
    })
    socket.once('close', () => resolve(code))
    socket.resume()
  })
}

const echo = (socket: Socket) => void socket.pipe(socket)
/** Answers every request with what it asked for. */
const web = () => {
  const server = createHttpServer(
    (request, response) => void request.resume().on('end', () => response.end(`${request.headers.host}${request.url}`)),
  )
  return (socket: Socket) => void server.emit('connection', socket)
}
const get = (path: string, host = 'a.example') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const until = (socket: Socket, what: string) =>
  new Promise<string>((resolve) => {
    let got = ''
    const take = (chunk: Buffer) => {
      got += String(chunk)
      if (!got.includes(what)) return
      socket.off('data', take)
      resolve(got)
    }
    socket.on('data', take)
  })

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
    expect(await ending(client)).toBe('ECONNRESET')
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
    expect(await ending(quick)).toBe('ECONNRESET')
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

describe('where a name leads', () => {
  test('the address that was judged is the one that is dialled, though the name changes its mind', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    lab.answers.set('a.example', [[publicAddress], ['127.0.0.1']])
    const first = await network.connect('198.18.0.1', 9000)
    first.end('one\n')
    expect(await text(first)).toBe('one\n')
    const second = await network.connect('198.18.0.1', 9000)
    second.write('two\n')
    expect(await ending(second)).toBe('ECONNRESET')
    expect((await lab.event('egress.deny', 'internal-address')).data['detail']).toContain('127.0.0.1 (loopback)')
    expect(lab.dialled.map(({ address }) => address)).toEqual([publicAddress])
  })

  test('of several addresses the internal ones are left out and the others tried in order', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    const dead = await lab.upstream(9001, echo)
    lab.servers.set('93.184.216.99:9000', lab.servers.get(`${publicAddress}:9001`) ?? 0)
    dead.close()
    await once(dead, 'close')
    lab.answers.set('a.example', [['10.0.0.1', '::ffff:127.0.0.1', '93.184.216.99', publicAddress]])
    const client = await network.connect('198.18.0.1', 9000)
    client.end('one\n')
    expect(await text(client)).toBe('one\n')
    expect(lab.dialled.map(({ address }) => address)).toEqual(['93.184.216.99', publicAddress])
  })

  test.each([
    ['unresolvable', { resolver: { resolve: () => Promise.reject(new Error('ENOTFOUND')) } }],
    ['unreachable', { connect: () => Promise.reject(new Error('ETIMEDOUT')) }],
    ['internal-address', { hostAddresses: () => new Set(['5db8d822']) }],
  ])('%s', async (reason, options) => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }], options)
    const client = await network.connect('198.18.0.1', 9000)
    client.write('one\n')
    expect(await ending(client)).toBe('ECONNRESET')
    await lab.event('egress.deny', reason)
  })

  test('an entry that means internal, and one that is pinned, reach loopback; the pinned name is not resolved', async () => {
    await using lab = await openLab(network, [
      { host: 'inner.example', ports: [9000], internal: true },
      { host: 'pinned.example', ports: [9000], internal: true, pin: { address: '127.0.0.1', port: 9999 } },
    ])
    await lab.upstream(9000, echo)
    lab.servers.set('127.0.0.1:9000', lab.servers.get(`${publicAddress}:9000`) ?? 0)
    lab.servers.set('127.0.0.1:9999', lab.servers.get(`${publicAddress}:9000`) ?? 0)
    lab.answers.set('inner.example', [['127.0.0.1']])
    for (const address of ['198.18.0.1', '198.18.0.2']) {
      const client = await network.connect(address, 9000)
      client.end('one\n')
      expect(await text(client)).toBe('one\n')
    }
    expect(lab.resolved).toEqual(['inner.example'])
    expect(lab.dialled.map(({ port }) => port)).toEqual([9000, 9999])
  })
})

describe('DNS in the cell', () => {
  test('libc and c-ares get synthetic addresses; denied names do not exist and reach no resolver', async () => {
    await using lab = await openLab(network, [{ host: 'a.example' }, { host: '*.wild.example' }])
    expect((await network.run(['getent', 'ahosts', 'a.example'])).stdout).toContain('198.18.0.1')
    expect((await network.run(['getent', 'hosts', 'One.Wild.Example'])).stdout).toContain('198.18.0.2')
    expect((await network.run(['getent', 'hosts', 'wild.example'])).code).not.toBe(0)
    const script = `
      const { Resolver } = require('node:dns/promises')
      const resolver = new Resolver(); resolver.setServers(['127.0.0.53'])
      Promise.allSettled(['resolve4', 'resolve6', 'resolveTxt'].map((how) => resolver[how]('a.example')).concat(resolver.resolve4('secret.exfil.example'), resolver.resolvePtr('1.0.18.198.in-addr.arpa')))
        .then((all) => console.log(JSON.stringify(all.map((each) => each.value ?? each.reason.code))))`
    const { stdout } = await network.run([process.execPath, '-e', script])
    expect(JSON.parse(stdout)).toEqual([['198.18.0.1'], 'ENODATA', 'ENODATA', 'ENOTFOUND', 'ENOTFOUND'])
    expect(lab.resolved).toEqual([])
    expect(lab.gateway.summary().denied.map(({ host, port }) => [host, port])).toEqual([
      ['wild.example', null],
      ['secret.exfil.example', null],
    ])
    const names = lab.events.filter(({ kind }) => kind === 'egress.dns').map(({ data }) => `${data['name']} ${data['decision']}`)
    expect(names).toEqual(['a.example allowed', 'one.wild.example allowed', 'wild.example denied', 'secret.exfil.example denied'])
  })

  test('a flood of denied names does not fill memory or log', async () => {
    const lab = await openLab(network, [])
    const script = `
      const { Resolver } = require('node:dns/promises')
      const resolver = new Resolver(); resolver.setServers(['127.0.0.53'])
      ;(async () => { for (let at = 0; at < 3000; at += 100)
        await Promise.allSettled(Array.from({ length: 100 }, (_, index) => resolver.resolve4('n' + (at + index) + '.flood.example'))) })()`
    await network.run([process.execPath, '-e', script])
    await lab[Symbol.asyncDispose]()
    const summary = lab.gateway.summary()
    expect(summary.denied.length).toBe(1_000)
    expect(summary.deniedMore).toBeGreaterThanOrEqual(2_000)
    expect(lab.events.filter(({ kind }) => kind === 'egress.dns').length).toBe(1_000)
    expect(lab.events.at(-1)).toMatchObject({ kind: 'egress.total' })
    expect(lab.events.at(-1)?.data['dnsDenied']).toBeGreaterThanOrEqual(3_000)
  })

  test('a real program that knows of nothing gets through by name', async () => {
    await using lab = await openLab(network, [{ host: '*.wild.example', ports: [80] }])
    await lab.upstream(80, web())
    const script = `fetch('http://deep.wild.example/x').then((answer) => answer.text()).then(console.log, (error) => console.log(error.cause?.code))`
    expect((await network.run([process.execPath, '-e', script])).stdout).toBe('deep.wild.example/x\n')
    expect((await network.run([process.execPath, '-e', script.replace('deep.wild', 'deep.tame')])).stdout).toBe('ENOTFOUND\n')
    expect(lab.resolved).toEqual(['deep.wild.example'])
  })
})

describe('addresses that are nobody', () => {
  test('only the listed ports of exact names are open, so that the cell has its own servers', async () => {
    await using lab = await openLab(network, [{ host: 'a.example' }, { host: 'b.example', ports: [443, 8443] }])
    expect(lab.gateway.wishes()).toEqual([
      { kind: 'dns-udp', address: '127.0.0.53', port: 53 },
      { kind: 'dns-tcp', address: '127.0.0.53', port: 53 },
      { kind: 'tcp', address: '198.18.0.1', port: 443 },
      { kind: 'tcp', address: '198.18.0.2', port: 443 },
      { kind: 'tcp', address: '198.18.0.2', port: 8443 },
    ])
    for (const [address, port] of [
      ['127.0.0.1', 443],
      ['198.18.0.1', 8443],
      ['198.18.0.3', 443],
    ] as const) {
      await expect(network.connect(address, port)).rejects.toThrow('ECONNREFUSED')
    }
    await expect(network.connect('93.184.216.34', 443)).rejects.toThrow('ENETUNREACH')
  })

  test('with a wildcard, an address that stands for no name is refused, and so is a port that the name does not have', async () => {
    await using lab = await openLab(network, [
      { host: '*.wild.example', ports: [9000] },
      { host: 'a.example', ports: [443] },
    ])
    for (const [address, reason] of [
      ['198.18.7.7', 'literal-address'],
      ['127.0.0.1', 'literal-address'],
      ['198.18.0.1', 'not-allowed'],
    ] as const) {
      const client = await network.connect(address, 9000)
      expect(await ending(client)).toBe('ECONNRESET')
      expect((await lab.event('egress.deny', reason)).data['port']).toBe(9000)
    }
  })

  test('off, public and open wish for nothing', () => {
    for (const mode of ['off', 'public', 'open'] as const) {
      const gateway = openGateway({ cell: 'c', policy: { mode }, audit: () => {}, resolver: { resolve: async () => [] } })
      expect(gateway.wishes()).toEqual([])
      expect(gateway.summary()).toEqual({ mode, connections: 0, bytesOut: 0, bytesIn: 0, reached: [], denied: [] })
    }
  })
})

describe('under load', () => {
  test('1,000 connections at once, none lost', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    const script = `
      const net = require('node:net'); let good = 0, left = 1000
      for (let index = 0; index < 1000; index++) {
        const socket = net.connect(9000, '198.18.0.1'); let got = ''
        const want = index + '\\n' + 'x'.repeat(20000)
        socket.on('connect', () => socket.end(want)).on('data', (chunk) => { got += chunk })
        socket.on('error', () => {}).on('close', () => { if (got === want) good++; if (--left === 0) console.log(good) })
      }`
    expect((await network.run([process.execPath, '-e', script])).stdout).toBe('1000\n')
    await expect.poll(() => lab.events.filter(({ kind }) => kind === 'egress.end').length).toBe(1_000)
    expect(lab.gateway.summary()).toMatchObject({ connections: 1_000, denied: [] })
  })

  test('more connections than allowed are reset, and room comes back', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }], { limits: { connections: 2 } })
    await lab.upstream(9000, echo)
    const open = [await network.connect('198.18.0.1', 9000), await network.connect('198.18.0.1', 9000)]
    for (const socket of open) socket.write('PING\n')
    for (const socket of open) await until(socket, 'PING')
    expect(await ending(await network.connect('198.18.0.1', 9000))).toBe('ECONNRESET')
    await lab.event('egress.deny', 'too-many')
    open[0]?.end()
    await lab.event('egress.end')
    const next = await network.connect('198.18.0.1', 9000)
    next.end('PING\n')
    expect(await text(next)).toBe('PING\n')
  })

  test('a client that does not read holds the server back, and the host stays small', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    let sent = 0
    let stuck = false
    const chunk = Buffer.alloc(256 * 1_024)
    await lab.upstream(9000, (socket) => {
      const pour = () => {
        stuck = false
        while (sent < 512 * 1_048_576 && socket.write(chunk)) sent += chunk.length
        stuck = true
      }
      socket.on('drain', pour).once('data', pour)
    })
    const client = await network.connect('198.18.0.1', 9000)
    client.write('PING\n')
    for (let last = -1; !stuck || last !== sent; ) {
      last = sent
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(sent).toBeLessThan(64 * 1_048_576)
    client.resetAndDestroy()
  })

  test('closing resets what is open', async () => {
    const lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    const talking = await network.connect('198.18.0.1', 9000)
    talking.write('PING\n')
    await until(talking, 'PING')
    const silent = await network.connect('198.18.0.1', 9000)
    const gone = [ending(talking), ending(silent)]
    await lab.gateway.close()
    await lab.gateway.close()
    expect((await Promise.all(gone))[0]).toBe('ECONNRESET')
    await lab[Symbol.asyncDispose]()
    await expect(network.connect('198.18.0.1', 9000)).rejects.toThrow('ECONNREFUSED')
  })
})
