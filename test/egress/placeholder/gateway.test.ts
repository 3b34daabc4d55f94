import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PaddockError } from '../../../src/base/errors.ts'
import type { CellCredential } from '../../../src/egress/placeholder/credential.ts'
import { Secret } from '../../../src/secrets/secret.ts'
import { until } from '../../support/egress-peers.ts'
import { ask, h2, once1, say, servers } from '../../support/inspect-clients.ts'
import { http1, https1, https2, type InspectLab, inspection, openInspectLab } from '../../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const real = 'sk-real-canary-of-the-host-0123456789'
const placeholder = 'sk-standinstandinstandinstandin'

function credential(change: Partial<CellCredential> = {}): CellCredential {
  return {
    name: 'THE_KEY',
    hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/v1/**'] }],
    places: [
      { kind: 'header', name: 'x-api-key' },
      { kind: 'header', name: 'authorization', scheme: 'Bearer' },
      { kind: 'basic', part: 'password' },
      { kind: 'query', name: 'key' },
    ],
    placeholders: () => [placeholder],
    secret: async () => Secret.fromText('THE_KEY', real),
    ...change,
  }
}
const other = { host: 'b.w.example', ports: [443, 80], inspect: inspection() }
const open = (change: Partial<CellCredential> = {}) => openInspectLab(network, [], { credentials: [credential(change)] }, [other])
/** Everything that a server received. */
const told: string[] = []
const hear = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    told.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n${Buffer.concat(chunks)}`)
    response.end(`ok ${told.length}`)
  })
}
const alarms = (lab: InspectLab) => lab.events.filter((each) => each.kind === 'credential.astray').map((each) => each.data)

describe.each(['HTTP/1.1', 'HTTP/2'] as const)('a host that speaks %s', (version) => {
  test('gets the real credential, and the cell never its echo', async () => {
    await using lab = await open()
    await lab.upstream(443, servers[version]())
    const answer1 = await once1(lab, say(`GET /v1/m?key=${placeholder}`, `X-Api-Key: ${placeholder}`))
    const session = await h2(lab)
    const answer2 = await ask(session, { ':path': '/v1/m', authorization: `Bearer ${placeholder}` })
    const coded = Buffer.from(`git:${placeholder}`).toString('base64')
    const answer3 = await ask(session, { ':path': '/v1/m', authorization: `Basic ${coded}` })
    session.close()
    for (const each of [answer1, String(answer2.body), String(answer3.body)]) {
      expect(each).not.toContain(placeholder)
      expect(each).not.toContain('canary')
      expect(each).not.toContain(Buffer.from(real).toString('base64').slice(4, -4))
      expect(each).toContain('*'.repeat(30))
    }
    expect(answer1).toContain(`/v1/m?key=${'*'.repeat(real.length)}`)
    expect(alarms(lab)).toEqual([])
    const uses = lab.events.filter((each) => each.kind === 'credential.use')
    expect(uses.map((each) => each.data)).toEqual([{ credential: 'THE_KEY', host: 'a.example', port: 443 }])
    expect(lab.events.filter((each) => each.kind === 'egress.request').map((each) => each.data['credentials'])).toEqual([
      ['THE_KEY'],
      ['THE_KEY'],
      ['THE_KEY'],
    ])
    expect(JSON.stringify(lab.events)).not.toMatch(/canary|standin/)
  })
})

test('is put into nothing but its places: no body, no other field, no other path', async () => {
  told.length = 0
  await using lab = await open()
  await lab.upstream(443, https1(hear))
  await once1(lab, say('POST /v1/m', 'Content-Length: 60', `X-Other: ${placeholder}`), placeholder.padEnd(60))
  await once1(lab, say('GET /v2/keys', `X-Api-Key: ${placeholder}`))
  await once1(lab, say('GET /v1/%2e%2e/v2', `X-Api-Key: ${placeholder}`))
  await once1(lab, say('GET /v1/%252e%252e/v2', `X-Api-Key: ${placeholder}`))
  await once1(lab, say('GET /v1/x', `X-Api-Key: ${placeholder}`, `X-Api-Key: ${placeholder}`))
  expect(told).toHaveLength(5)
  for (const each of told) expect(each).not.toContain('canary')
  await once1(lab, say('GET /v1/x', `X-Api-Key: ${placeholder}`))
  expect(told[5]).toContain(real)
})

test('at any other host the placeholder is noise, and an alarm', async () => {
  told.length = 0
  await using lab = await open()
  const secure = https1(hear, 'b.w.example')
  await lab.upstream(443, secure)
  await lab.upstream(80, http1(hear))
  const address = '198.18.0.2'
  const evil = async (head: string, body = '') => {
    const socket = await network.connect(address, 80)
    socket.write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n').replace('a.example', 'b.w.example') + body)
    await until(socket, 'ok')
    socket.destroy()
  }
  await evil(say('GET /v1/m', `X-Api-Key: ${placeholder}`))
  await evil(say(`GET /?q=${Buffer.from(placeholder).toString('base64')}`))
  await evil(say('POST /', 'Content-Length: 100'), placeholder.padStart(100))
  expect(told).toHaveLength(3)
  expect(told[0]).toContain(placeholder)
  for (const each of told) expect(each).not.toContain('canary')
  expect(alarms(lab)).toEqual([
    { credential: 'THE_KEY', host: 'b.w.example', port: 80, where: 'header x-api-key' },
    { credential: 'THE_KEY', host: 'b.w.example', port: 80, where: 'target' },
    { credential: 'THE_KEY', host: 'b.w.example', port: 80, where: 'body' },
  ])
  expect(lab.gateway.summary().astray).toEqual([{ credential: 'THE_KEY', host: 'b.w.example', count: 3 }])
})

describe('an echo is masked', () => {
  const echo = `{"padding":"${'x'.repeat(100_000)}","key":"${real}","more":"${'y'.repeat(100_000)}"}`
  test.each([
    ['gzip', gzipSync(echo)],
    ['br', brotliCompressSync(echo)],
    ['zstd', zstdCompressSync(echo)],
    ['deflate', deflateSync(echo)],
    ['gzip, br', brotliCompressSync(gzipSync(echo))],
  ])('coded as %s', async (coding, bytes) => {
    await using lab = await open()
    let accepts: unknown
    await lab.upstream(
      443,
      https1((request, response) => {
        accepts = request.headers['accept-encoding']
        response.writeHead(200, { 'content-encoding': coding, 'content-length': bytes.length }).end(bytes)
      }),
    )
    const session = await h2(lab)
    const { head, body } = await ask(session, { ':path': '/v1/x', 'x-api-key': placeholder, 'accept-encoding': 'gzip, br, zstd' })
    session.close()
    expect(accepts).toBe('identity')
    expect(head['content-encoding']).toBeUndefined()
    expect(body.toString()).toBe(echo.replace(real, '*'.repeat(real.length)))
  })

  test('in pieces, as they come, and in fields and trailers', async () => {
    await using lab = await open()
    const steps: (() => void)[] = []
    await lab.upstream(
      443,
      https1((_request, response) => {
        response.writeHead(200, { 'x-echo': `<${real}>`, trailer: 'x-end', 'content-type': 'text/event-stream' })
        for (const piece of ['data: first\n\n', `data: ${real.slice(0, 9)}`, real.slice(9), '\n\n']) steps.push(() => response.write(piece))
        steps.push(() => {
          response.addTrailers({ 'x-end': real })
          response.end()
        })
        steps.shift()?.()
      }),
    )
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(say('GET /v1/events', `X-Api-Key: ${placeholder}`, 'TE: trailers', 'Connection: close'))
    let all = ''
    client.on('data', (chunk) => {
      all += String(chunk)
    })
    await expect.poll(() => all).toContain('first\n\n')
    for (const step of steps) {
      step()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await expect.poll(() => all).toContain('x-end: ')
    expect(all).toContain(`x-echo: <${'*'.repeat(real.length)}>`)
    expect(all).toContain(`x-end: ${'*'.repeat(real.length)}`)
    expect(all).not.toContain('canary')
    expect(all).toContain('*'.repeat(real.length - 9))
  })

  test('an unreadable one is not passed on', async () => {
    await using lab = await open()
    await lab.upstream(
      443,
      https1((_request, response) => response.writeHead(200, { 'content-encoding': 'compress' }).end(real)),
    )
    const session = await h2(lab)
    const { status, body } = await ask(session, { ':path': '/v1/x', 'x-api-key': placeholder })
    session.close()
    expect(status).toBe(502)
    expect(String(body)).toMatch(/unreadable-answer: the response is encoded as compress/)
  })

  test('also where this cell has not used the credential itself', async () => {
    await using lab = await open()
    await lab.upstream(
      443,
      https1((_request, response) => response.end(real)),
    )
    expect(await once1(lab, say('GET /stored'))).toContain('*'.repeat(real.length))
  })

  test('on a websocket', async () => {
    await using lab = await open()
    const upstream = https1(() => {})
    let extensions: unknown = 'unset'
    upstream.server.on('upgrade', (request, socket) => {
      extensions = request.headers['sec-websocket-extensions']
      const frame = Buffer.from(`got ${request.headers['x-api-key']}`)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      socket.write(Buffer.concat([Buffer.from([0x81, frame.length]), frame]))
    })
    await lab.upstream(443, upstream)
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    const fields = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Extensions: permessage-deflate',
      `X-Api-Key: ${placeholder}`,
    ]
    client.write(say('GET /v1/ws', ...fields))
    const got = await until(client, 'got ***')
    expect(got).toContain(`got ${'*'.repeat(real.length)}`)
    expect(extensions).toBeUndefined()
    client.destroy()
  })
})

test('at a host that belongs to the credential, no other account can be used', async () => {
  told.length = 0
  await using lab = await open({ exclusive: true })
  await lab.upstream(443, https1(hear))
  const foreign = [
    'X-Api-Key: sk-of-somebody-else',
    'Authorization: Bearer x',
    `Authorization: Basic ${Buffer.from('a:b').toString('base64')}`,
  ]
  for (const each of foreign)
    expect(await once1(lab, say('POST /v1/files', 'Content-Length: 0', each))).toMatch(/^HTTP\/1.1 403 [\s\S]*foreign|only the credential/)
  expect(await once1(lab, say('GET /v1/files?key=theirs'))).toMatch(/^HTTP\/1.1 403/)
  expect(await once1(lab, say('GET /v1/files', `X-Api-Key: ${placeholder}`, 'Authorization: Bearer theirs'))).toMatch(/^HTTP\/1.1 403/)
  expect(told).toEqual([])
  expect(await once1(lab, say('GET /v1/files', `X-Api-Key: ${placeholder}`))).toMatch(/^HTTP\/1.1 200/)
  expect(await once1(lab, say('GET /v1/files', 'Authorization: '))).toMatch(/^HTTP\/1.1 200/)
  expect(lab.gateway.summary().denied).toEqual([expect.objectContaining({ reason: 'foreign-credential', count: 5 })])
})

test('an unavailable credential is a plain error response, and nothing is sent', async () => {
  await using lab = await open({
    secret: async () => {
      throw new PaddockError('LOGIN_NEEDED', 'claude is logged out', { hint: 'log in' })
    },
  })
  await lab.upstream(443, https1(hear))
  const answer = await once1(lab, say('GET /v1/m', `X-Api-Key: ${placeholder}`))
  expect(answer).toMatch(/^HTTP\/1.1 401 [\s\S]*paddock: claude is logged out/)
  expect(lab.dialled).toEqual([])
})

test('a credential for some methods and not for some paths goes elsewhere as if there were none, where it is asked to', async () => {
  const host = { host: 'a.example', port: 443, tls: true, paths: ['/v1/**'], methods: ['GET'], query: { s: 'read' } }
  const hosts = [{ ...host, except: [{ methods: [], path: '/v1/keys/**' }] }]
  told.length = 0
  await using lab = await open({ hosts, droppedElsewhere: true })
  await lab.upstream(443, https1(hear))
  const bearer = `Authorization: Bearer ${placeholder}`
  await once1(lab, say('GET /v1/m?s=read', bearer))
  expect(told[0]).toContain(`Bearer ${real}`)
  const basic = `Authorization: Basic ${Buffer.from(`x:${placeholder}`).toString('base64')}`
  for (const [request, ...fields] of [
    ['GET /v1/m', bearer],
    ['GET /v1/m?s=write', bearer],
    ['GET /v1/m?s=read&s=write', bearer],
    ['DELETE /v1/m?s=read', bearer],
    ['GET /v1/m?s=read', bearer, 'X-HTTP-Method-Override: DELETE'],
    ['GET /v1/KEYS/1?s=read', basic],
    ['GET /v1/m/../keys?s=read', `X-Api-Key: ${placeholder}`],
    ['GET /v2/m?s=read', bearer],
  ] as const) {
    told.length = 0
    expect(await once1(lab, say(request, ...fields))).toContain(' 200 ')
    expect(told.join('\n'), request).not.toMatch(/canary|standin|authorization|x-api-key/i)
  }
  expect(alarms(lab)).toEqual([])
  // A placeholder in any other place raises an alarm here too.
  await once1(lab, say('GET /v2/m', bearer, `X-Other: ${placeholder}`))
  expect(alarms(lab)).toMatchObject([{ where: 'header x-other' }])
})

test('members of an answer that are credentials do not reach the cell, and what cannot be searched for them neither', async () => {
  const host = { host: 'a.example', port: 443, tls: true, paths: ['/v1/**'] }
  await using lab = await open({ hosts: [{ ...host, hidden: ['runners_token'] }] })
  const own = { id: 1, runners_token: 'GR1348941', forked_from: [{ runners_token: 'GR13489', name: 'it' }], echo: real }
  await lab.upstream(
    443,
    https1((request, response) => {
      const text = JSON.stringify(own)
      const body = request.url?.endsWith('page') ? `<p>${text}</p>` : request.url?.endsWith('long') ? `${text}${' '.repeat(2 ** 20)}` : text
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' }).end(gzipSync(body))
    }),
  )
  const key = `X-Api-Key: ${placeholder}`
  expect(await once1(lab, say('GET /v1/it', key))).toContain(`{"id":1,"forked_from":[{"name":"it"}],"echo":"${'*'.repeat(real.length)}"}`)
  for (const path of ['page', 'long']) expect(await once1(lab, say(`GET /v1/${path}`, key)).catch(String)).toBe('Error: read ECONNRESET')
  // Without the credential, the answer is the one for strangers.
  expect(await once1(lab, say('GET /v1/it'))).toContain('GR1348941')
})

test('a cell’s own renewal is answered here', async () => {
  const bodies: string[] = []
  await using lab = await open({
    renewal: {
      host: 'a.example',
      paths: ['/oauth/token'],
      answer: (body) => {
        bodies.push(body)
        return { status: 200, json: { access_token: 'fresh' } }
      },
    },
  })
  await lab.upstream(443, https1(hear))
  const answer = await once1(lab, say('POST /oauth/token', 'Content-Length: 9'), 'refresh=1')
  expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*application\/json[\s\S]*{"access_token":"fresh"}/)
  expect(bodies).toEqual(['refresh=1'])
  expect(lab.dialled).toEqual([])
  const large = await once1(lab, say('POST /oauth/token', 'Content-Length: 70000'), 'x'.repeat(70_000))
  expect(large).toMatch(/^HTTP\/1.1 400 [\s\S]*the body is too large/)
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.write(say('POST /oauth/token', 'Expect: 100-continue', 'Content-Length: 9'))
  expect(await until(client, '\r\n\r\n')).toContain('100 Continue')
  client.write('refresh=2')
  expect(await until(client, '}')).toContain('fresh')
  client.destroy()
})

test('an endpoint of the gateway’s own is plain HTTP in the cell, and TLS to the host whose credential it gets', async () => {
  told.length = 0
  const endpoint = { host: 'model.paddock.internal', ports: [80], endpoint: { host: 'a.example', port: 443 } }
  await using lab = await openInspectLab(network, [], { credentials: [credential()] }, [endpoint])
  const upstream = https2()
  upstream.server.on('request', hear as never)
  await lab.upstream(443, upstream)
  const address = '198.18.0.2'
  const speak = async (head: string) => {
    const socket = await network.connect(address, 80)
    socket.on('error', () => {}).write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    return text(socket).catch(() => 'reset')
  }
  expect(await speak(`GET /v1/m HTTP/1.1\r\nHost: model.paddock.internal\r\nX-Api-Key: ${placeholder}\r\n\r\n`)).toContain('200')
  expect(told[0]).toContain(real)
  expect(told[0]).toContain('a.example')
  expect(told[0]).not.toContain('model.paddock.internal')
  expect(await speak('GET /v1/m HTTP/1.1\r\nHost: a.example\r\n\r\n')).not.toContain('200')
})

test('a masked download is whole and held back by who does not read', async () => {
  const size = 64 * 1024 * 1024
  await using lab = await open()
  await lab.upstream(
    443,
    https1(async (_request, response) => {
      response.writeHead(200, { 'content-length': size })
      const piece = Buffer.alloc(256 * 1024, 'sk-rea')
      for (let sent = 0; sent < size; sent += piece.length) if (!response.write(piece)) await once(response, 'drain')
      response.end()
    }),
  )
  const session = await h2(lab)
  const { body } = await ask(session, { ':path': '/v1/large', 'x-api-key': placeholder })
  session.close()
  expect(body).toHaveLength(size)
  expect(body.includes('*')).toBe(false)
})
