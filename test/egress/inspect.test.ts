import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ClientHttp2Session, connect as connectH2, type IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApprovalQuestion } from '../../src/egress/approval.ts'
import { publicAddress } from '../support/egress-lab.ts'
import { ending, until } from '../support/egress-peers.ts'
import { http1, https1, https2, type InspectLab, inspection, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const say = (request: string, ...lines: string[]) => [`${request} HTTP/1.1`, 'Host: a.example', ...lines, '', ''].join('\r\n')
/** One answer of HTTP/1.1, head and body, when the server closes behind it. */
async function once1(lab: InspectLab, head: string, body = ''): Promise<string> {
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.on('error', () => {})
  client.write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n') + body)
  return text(client)
}
async function h2(lab: InspectLab): Promise<ClientHttp2Session> {
  const socket = await lab.tls({ ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  return connectH2('https://a.example', { createConnection: () => socket }).on('error', () => {})
}
async function ask(session: ClientHttp2Session, headers: Record<string, string>, body?: Buffer | string) {
  const stream = session.request({ ':path': '/', ...headers }, { endStream: body === undefined })
  let trailers: IncomingHttpHeaders = {}
  stream.on('trailers', (found: IncomingHttpHeaders) => {
    trailers = found
  })
  stream.on('error', () => {})
  if (body !== undefined) stream.end(body)
  const answered = once(stream, 'response') as Promise<[IncomingHttpHeaders]>
  const bytes = buffer(stream)
  const [head] = await answered
  return { head, status: Number(head[':status']), body: await bytes, trailers }
}
/** Tells what it was asked, with the fields that arrived. */
const tell = (request: IncomingMessage, response: ServerResponse) => {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  request.on('end', () => response.end(JSON.stringify({ method: request.method, url: request.url, size, fields: request.rawHeaders })))
}
const servers = {
  'HTTP/1.1': () => https1(tell),
  'HTTP/2': () => {
    const made = https2()
    made.server.on('request', tell as never)
    return made
  },
}

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

describe('what is asked', () => {
  test('is held without reading the body, and goes on or not as it is answered', async () => {
    const questions: ApprovalQuestion[] = []
    const answers: ((allowed: boolean) => void)[] = []
    await using lab = await openInspectLab(network, ['ask POST /**'], {
      approve: (question) => {
        questions.push(question)
        return new Promise((resolve) => answers.push((allowed) => resolve({ allowed, scope: 'once', by: 'command' })))
      },
    })
    await lab.upstream(443, https1(tell))
    const client = await lab.tls()
    client.write(say('POST /pay?card=1', 'Content-Length: 8000000'))
    client.write(Buffer.alloc(8_000_000))
    await expect.poll(() => questions.length).toBe(1)
    expect(questions[0]).toMatchObject({
      cell: 'test-cell',
      host: 'a.example',
      port: 443,
      request: { method: 'POST', path: '/pay' },
      source: 'user',
    })
    expect(lab.dialled).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(client.writableLength).toBeGreaterThan(0)
    answers[0]?.(true)
    expect(await until(client, '}')).toContain('"size":8000000')
    client.write(say('POST /no', 'Content-Length: 0'))
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.(false)
    expect(await until(client, 'paddock')).toContain('403')
    client.destroy()
  })

  test('is a no where nobody can answer', async () => {
    await using lab = await openInspectLab(network, ['ask * /**'])
    expect(await once1(lab, say('GET /'))).toContain('403')
    expect(lab.gateway.summary().denied).toMatchObject([{ reason: 'not-approved' }])
  })

  test('is forgotten when the client leaves', async () => {
    let stopped = false
    await using asking = await openInspectLab(network, ['ask * /**'], {
      approve: (_question, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = true
            resolve({ allowed: false, scope: 'once', by: 'end' })
          })
        }),
    })
    const client = await asking.tls()
    client.write(say('GET /'))
    await once(client, 'secureConnect')
    setTimeout(() => client.destroy(), 50)
    await expect.poll(() => stopped).toBe(true)
  })
})

describe('what is refused', () => {
  const other = 'GET / HTTP/1.1\r\nHost: b.example\r\n\r\n'
  test.each([
    ['another Host', other, 'host-mismatch'],
    ['a target elsewhere', 'GET http://b.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n', 'host-mismatch'],
    ['a length beside chunks', say('POST /', 'Content-Length: 3', 'Transfer-Encoding: chunked'), 'malformed'],
    ['two lengths', say('POST /', 'Content-Length: 3', 'Content-Length: 4'), 'malformed'],
    ['a folded field', say('GET /', 'X: a', ' b'), 'malformed'],
    ['a space before the colon', say('GET /', 'X : a'), 'malformed'],
    ['a wrong chunk', `${say('POST /', 'Transfer-Encoding: chunked')}x\r\n`, 'malformed'],
    ['CONNECT', 'CONNECT b.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', 'malformed'],
    ['TRACE', say('TRACE /'), 'malformed'],
    ['a NUL in the path', say('GET /%00'), 'malformed'],
    ['a backslash', say('GET /a\\b'), 'malformed'],
    ['another path in a field', say('GET /', 'X-Original-URL: /admin'), 'malformed'],
    ['no HTTP at all', '\x16\x03\x01 nonsense\r\n\r\n', 'malformed'],
  ])('%s', async (_what, bytes, reason) => {
    await using lab = await openInspectLab(network)
    let asked = 0
    const made = https1((_request, response) => {
      asked++
      response.end()
    })
    await lab.upstream(443, made)
    const client = await lab.tls()
    client.write(bytes)
    const got = text(client).catch(() => '')
    await expect.poll(() => lab.gateway.summary().denied[0]?.reason).toBe(reason)
    client.end()
    expect(await got).not.toContain('200 OK')
    expect(asked).toBe(0)
  })

  test('a method in a field counts like one in the line', async () => {
    await using lab = await openInspectLab(network, ['deny DELETE /**'])
    await lab.upstream(443, https1(tell))
    expect(await once1(lab, say('POST /x', 'X-HTTP-Method-Override: DELETE'))).toContain('403')
    expect(await once1(lab, say('POST /x?_method=delete'))).toContain('403')
    expect(await once1(lab, say('POST /x'))).toContain('200')
  })

  test('a host with a certificate of another name', async () => {
    await using lab = await openInspectLab(network)
    await lab.upstream(443, https1(tell, 'b.example'))
    const got = await once1(lab, say('GET /'))
    expect(got).toContain('502 Bad Gateway')
    expect(got).toContain('bad-certificate')
  })

  test('a host with a certificate of nobody we know', async () => {
    await using strict = await openInspectLab(network, [], { extraRoots: [] })
    await strict.upstream(443, https1(tell))
    expect(await once1(strict, say('GET /'))).toContain('bad-certificate')
    expect(strict.gateway.summary().denied).toMatchObject([{ reason: 'bad-certificate', count: 1 }])
  })

  test('a host at an internal address', async () => {
    await using lab = await openInspectLab(network)
    lab.answers.set('a.example', [['10.0.0.1'], [publicAddress]])
    expect(await once1(lab, say('GET /'))).toContain('internal-address')
    expect(lab.dialled).toEqual([])
  })

  test('what is no HTTP cannot go to an inspected host', async () => {
    await using lab = await openInspectLab(network, [], { limits: { sniffMs: 50 } }, [
      { host: 'ssh.example', ports: [22], inspect: inspection() },
    ])
    const client = await network.connect('198.18.0.2', 22)
    client.write('SSH-2.0-x\r\n')
    expect(await ending(client)).toBe('ECONNRESET')
    const silent = await network.connect('198.18.0.2', 22)
    expect(await ending(silent)).toBe('ECONNRESET')
    expect(lab.gateway.summary().denied).toMatchObject([{ host: 'ssh.example', reason: 'not-http', count: 2 }])
    expect(lab.dialled).toEqual([])
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
