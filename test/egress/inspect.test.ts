import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicAddress } from '../support/egress-lab.ts'
import { ending, until } from '../support/egress-peers.ts'
import { ask, h2, once1, say, servers, tell } from '../support/inspect-clients.ts'
import { http1, https1, inspection, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

describe.each(['HTTP/1.1', 'HTTP/2'] as const)('a host that speaks %s', (version) => {
  test('is asked by clients of HTTP/1.1 for what was judged', async () => {
    await using lab = await openInspectLab(network, ['deny POST,PUT /secret/**'])
    await lab.upstream(443, servers[version]())
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(say('GET /one/%2e/b?c=%41', 'X-Hop: 1', 'Connection: X-Hop', 'X-End: 2', 'Cookie: a=b'))
    const got = await until(client, '}')
    expect(got).toContain('200')
    expect(got).toContain('"url":"/one/b?c=%41"')
    expect(got).toMatch(/X-End/i)
    expect(got).not.toMatch(/X-Hop/i)
    client.write(`${say('POST /x/../secret/a', 'Content-Length: 2')}hi`)
    const denied = await until(client, 'paddock')
    expect(denied).toContain('403 Forbidden')
    expect(denied).toContain('paddock: denied by rule "deny POST,PUT /secret/**" (user): POST a.example/secret/a')
    client.write(`${say('POST /x', 'Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\n\r\n`)
    expect(await until(client, '}')).toContain('"size":5')
    client.destroy()
    expect(lab.gateway.summary()).toMatchObject({ requests: { allowed: 2, denied: 1 }, denied: [{ reason: 'rule', count: 1 }] })
    expect(lab.dialled.length).toBe(1)
    expect(lab.dialled[0]?.address).toBe(publicAddress)
    expect(JSON.stringify(lab.events)).not.toContain('c=%41')
  })

  test('is asked by clients of HTTP/2 for what was judged', async () => {
    await using lab = await openInspectLab(network, ['deny * /secret'])
    await lab.upstream(443, servers[version]())
    const session = await h2(lab)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(session, { ':path': `/${index}//x`, 'x-end': 'y' })))
    for (const [index, { body }] of answers.entries()) expect(JSON.parse(String(body))).toMatchObject({ url: `/${index}/x` })
    const large = await ask(session, { ':method': 'POST' }, Buffer.alloc(3_000_000))
    expect(JSON.parse(String(large.body))).toMatchObject({ method: 'POST', size: 3_000_000 })
    expect(await ask(session, { ':path': '/%73ecret' })).toMatchObject({ status: 403 })
    expect((await ask(session, { ':authority': 'b.example' })).status).toBe(421)
    expect((await ask(session, { host: 'b.example' })).status).toBe(421)
    expect((await ask(session, { ':method': 'TRACE' })).status).toBe(400)
    session.close()
    expect(lab.gateway.summary().denied).toEqual(expect.arrayContaining([expect.objectContaining({ reason: 'host-mismatch', count: 2 })]))
  })
})

describe('what HTTP can do', () => {
  test('trailers, early hints, 100-continue, HEAD, 204, 304, and answers without a length', async () => {
    await using lab = await openInspectLab(network)
    await lab.upstream(
      443,
      https1((request, response) => {
        if (request.url === '/trailers') {
          request.resume().on('end', () => {
            response.writeHead(200, { trailer: 'x-sum' })
            response.write('body')
            response.addTrailers({ 'x-sum': `${request.rawTrailers}` })
            response.end()
          })
        } else if (request.url === '/hints') {
          response.writeEarlyHints({ link: '</x>; rel=preload' })
          setTimeout(() => response.end('hinted'), 20)
        } else if (request.url === '/head') response.writeHead(200, { 'content-length': 1000 }).end()
        else if (request.url === '/204') response.writeHead(204).end()
        else if (request.url === '/304') response.writeHead(304, { etag: '"x"' }).end()
        else tell(request, response)
      }),
    )
    const trailed = await once1(lab, say('POST /trailers', 'Transfer-Encoding: chunked'), '1\r\nx\r\n0\r\nX-Up: yes\r\n\r\n')
    expect(trailed).toContain('x-sum: X-Up,yes')
    expect(await once1(lab, say('GET /hints'))).toMatch(
      /^HTTP\/1.1 103 Early Hints\r\nLink: <\/x>; rel=preload\r\n\r\nHTTP\/1.1 200 OK[\s\S]*hinted/,
    )
    expect(await once1(lab, say('HEAD /head'))).toMatch(/content-length: 1000[\s\S]*\r\n\r\n$/)
    expect(await once1(lab, say('GET /204'))).toMatch(/^HTTP\/1.1 204 [\s\S]*\r\n\r\n$/)
    expect(await once1(lab, say('GET /304'))).toMatch(/^HTTP\/1.1 304 [\s\S]*etag: "x"[\s\S]*\r\n\r\n$/)
    const client = await lab.tls()
    client.write(say('POST /', 'Expect: 100-continue', 'Content-Length: 3'))
    expect(await until(client, '\r\n\r\n')).toContain('100 Continue')
    client.write('abc')
    expect(await until(client, '}')).toContain('"size":3')
    client.destroy()
    const session = await h2(lab)
    expect(await ask(session, { ':path': '/trailers', ':method': 'POST' }, 'x')).toMatchObject({ trailers: { 'x-sum': '' } })
    expect(await ask(session, { ':path': '/head', ':method': 'HEAD' })).toMatchObject({ status: 200 })
    expect(await ask(session, { ':path': '/304' })).toMatchObject({ status: 304 })
    session.close()
  })

  test('a refused upload is not invited with 100', async () => {
    await using lab = await openInspectLab(network, ['deny PUT /**'])
    const client = await lab.tls()
    client.write(say('PUT /', 'Expect: 100-continue', 'Content-Length: 1000'))
    const got = await text(client)
    expect(got).toMatch(/^HTTP\/1.1 403/)
    expect(lab.dialled).toEqual([])
  })

  test('events stream as they come', async () => {
    await using lab = await openInspectLab(network)
    let send: (event: string) => void = () => {}
    await lab.upstream(
      443,
      https1((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        send = (event) => void response.write(`data: ${event}\n\n`)
        send('first')
      }),
    )
    const client = await lab.tls()
    client.write(say('GET /events'))
    await until(client, 'first')
    send('second')
    await until(client, 'second')
    client.destroy()
    await lab.event('egress.end')
  })

  test('an answer that is cut off is cut off for the client too', async () => {
    await using lab = await openInspectLab(network)
    await lab.upstream(
      443,
      https1((request, response) => {
        response.writeHead(200, { 'content-length': 1000 })
        response.write('half')
        setTimeout(() => request.socket.destroy(), 30)
      }),
    )
    const client = await lab.tls()
    const ended = ending(client)
    client.write(say('GET /'))
    expect(await ended).toBe('ECONNRESET')
    const stream = (await h2(lab)).request({ ':path': '/' })
    stream.on('error', () => {}).resume()
    await new Promise((resolve) => stream.once('close', resolve))
    expect(stream.rstCode).not.toBe(0)
  })

  test.each([true, false])('a websocket, after another request: the host takes it: %s', async (takes) => {
    await using lab = await openInspectLab(network, ['deny GET /closed'])
    const made = https1(tell)
    made.server.on('upgrade', (request, socket: Socket, head) => {
      if (!takes) return void socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${request.headers['sec-websocket-key']}\r\n\r\n`,
      )
      socket.write(Buffer.concat([Buffer.from('echo:'), head]))
      socket.pipe(socket)
    })
    await lab.upstream(443, made)
    const client = await lab.tls()
    const wish = ['Connection: keep-alive, Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: k']
    client.write(say('GET /before'))
    await until(client, '}')
    client.write(`${say('GET /ws', ...wish)}${'\x81'}early`)
    const got = await until(client, takes ? 'early' : 'no')
    expect(got).toContain(takes ? 'Sec-WebSocket-Accept: k' : '400 Bad Request')
    if (takes) {
      client.write('frames \r\n\r\n without check')
      await until(client, 'without check')
    }
    client.destroy()
    const denied = await lab.tls()
    denied.write(say('GET /closed', ...wish))
    expect(await text(denied)).toContain('403')
  })

  test('a client that does not read holds the host back, one that floods is held back', async () => {
    await using lab = await openInspectLab(network)
    let sent = 0
    let taken = 0
    await lab.upstream(
      443,
      https1((request, response) => {
        if (request.method === 'POST') {
          request.on('data', (chunk: Buffer) => {
            taken += chunk.length
            request.pause()
          })
          return
        }
        const pour = () => {
          while (sent < 512 * 1_048_576 && response.write(Buffer.alloc(262_144))) sent += 262_144
        }
        response.on('drain', pour)
        pour()
      }),
    )
    const deaf = await lab.tls()
    deaf.write(say('GET /'))
    const loud = await lab.tls()
    loud.write(say('POST /', 'Content-Length: 536870912'))
    let given = 0
    const give = () => {
      while (given < 512 * 1_048_576 && loud.write(Buffer.alloc(262_144))) given += 262_144
    }
    loud.on('drain', give)
    give()
    for (let last = -1; last !== sent + given + taken; ) {
      last = sent + given + taken
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(sent).toBeLessThan(64 * 1_048_576)
    expect(given).toBeLessThan(64 * 1_048_576)
    deaf.destroy()
    loud.destroy()
  })
})

test('plain HTTP of an inspected host is judged by the same rules', async () => {
  await using lab = await openInspectLab(network, ['deny POST /x/**'])
  await lab.upstream(80, http1(tell))
  const client = await network.connect('198.18.0.1', 80)
  client.write(say('GET http://a.example//x/./y'))
  expect(await until(client, '}')).toContain('"url":"/x/y"')
  client.write(say('POST /x/%79'))
  expect(await until(client, 'paddock')).toContain('403')
  client.write(say('GET /', 'Host: b.example'))
  expect(await text(client)).toContain('400')
})

test('a wildcard is inspected name by name; closing closes all', async () => {
  const lab = await openInspectLab(network, [], {}, [{ host: '*.w.example', inspect: inspection('deny POST /**') }])
  await lab.upstream(443, https1(tell, 'x.w.example'))
  const script = `
    const dns = require('node:dns').promises, tls = require('node:tls')
    dns.lookup('x.w.example').then(({ address }) => console.log(address))`
  const address = (await network.run([process.execPath, '-e', script])).stdout.trim()
  const socket = await network.connect(address, 443)
  socket.allowHalfOpen = false
  const { connect } = await import('node:tls')
  const client: TLSSocket = connect({ socket, servername: 'x.w.example', ca: lab.ca })
  client.write('GET /deep HTTP/1.1\r\nHost: x.w.example\r\n\r\n')
  await until(client, '}')
  const ended = ending(client)
  const session = await h2(lab)
  const held = session.request({ ':path': '/' }).on('error', () => {})
  const gone = new Promise((resolve) => held.once('close', resolve))
  await lab.gateway.close()
  await ended
  await gone
  await lab[Symbol.asyncDispose]()
})
