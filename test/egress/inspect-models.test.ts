import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import type { GatewayOptions } from '../../src/egress/cell-gateway.ts'
import type { CellCredential } from '../../src/egress/placeholder/credential.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { ask, h2, once1, say } from '../support/inspect-clients.ts'
import { https1, type InspectLab, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const credential: CellCredential = {
  name: 'THE_KEY',
  hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/**'] }],
  places: [{ kind: 'header', name: 'x-api-key' }],
  placeholders: () => ['sk-placeholderplaceholder'],
  secret: async () => Secret.fromText('THE_KEY', 'sk-real-canary-of-the-host'),
}

async function open(listener: RequestListener, more: Partial<GatewayOptions> = {}): Promise<InspectLab> {
  const lab = await openInspectLab(network, [], { credentials: [credential], ...more })
  await lab.upstream(443, https1(listener))
  return lab
}
const post = (path: string): string => say(`POST ${path}`, 'Content-Length: 0')

describe('4: the gateway sees why a model API gave no answer', () => {
  test('a limit with the time of its headers, over both versions of HTTP, and nothing of its body', async () => {
    await using lab = await open((_request, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end('{"error":"private-text"}')
    })
    await once1(lab, post('/v1/messages'))
    const session = await h2(lab)
    await ask(session, { ':method': 'POST', ':path': '/v1/messages?beta=true' }, 'x')
    session.close()
    await expect.poll(() => lab.gateway.summary().models?.failed[0]?.count).toBe(2)
    const { models } = lab.gateway.summary()
    expect(models).toMatchObject({ answered: 0, failed: [{ host: 'a.example', kind: 'refused', status: 429 }] })
    const [failed] = models?.failed ?? []
    expect(failed?.resetsAt).toBeGreaterThan((failed?.at ?? 0) + 3_000_000)
    expect(JSON.stringify([models, lab.events])).not.toContain('private-text')
  })

  test('an answer that the host cuts off, and one that comes after it', async () => {
    let asked = 0
    await using lab = await open((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (asked++ > 0) return void response.end('data: {}\n\n')
      response.write('data: {}\n\n', () => response.destroy())
    })
    await once1(lab, post('/v1/responses')).catch(() => '')
    await expect.poll(() => lab.gateway.summary().models).toMatchObject({ answered: 0, failed: [{ kind: 'cut', count: 1 }] })
    await once1(lab, post('/v1/responses'))
    await expect.poll(() => lab.gateway.summary().models).toEqual({ answered: 1, failed: [] })
  })

  test('an answer that the client abandons does not count as trouble of the API', async () => {
    await using lab = await open((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n')
    })
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(post('/v1/messages'))
    await new Promise((resolve) => client.once('data', resolve))
    client.destroy()
    await expect.poll(() => lab.gateway.summary().models).toEqual({ answered: 1, failed: [] })
  })

  test('a host that the cell has no credential for is not taken for a model API', async () => {
    await using lab = await open((_request, response) => void response.writeHead(500).end(), { credentials: [] })
    await once1(lab, post('/v1/messages'))
    await expect.poll(() => lab.gateway.summary().requests?.allowed).toBe(1)
    expect(lab.gateway.summary().models).toBeUndefined()
  })
})

describe('4: a login that the gateway has no usable token of', () => {
  const sentence = 'The login of claude could not be renewed: the name auth.x could not be resolved.'

  test.each([
    ['could not be renewed for now', 'LOGIN_NOT_RENEWED', 'not-renewed'],
    ['was refused by its vendor', 'LOGIN_NEEDED', 'no-credential'],
  ] as const)('%s: recorded with the reason', async (_name, code, kind) => {
    const secret = () => Promise.reject(new PaddockError(code, sentence))
    await using lab = await open(() => {}, { credentials: [{ ...credential, secret }] })
    const answer = await once1(lab, say('POST /v1/messages', 'Content-Length: 0', 'X-Api-Key: sk-placeholderplaceholder'))
    expect(answer).toMatch(/^HTTP\/1.1 401 [\s\S]*could not be resolved/)
    const { models, denied, reached } = lab.gateway.summary()
    expect(models).toMatchObject({ answered: 0, failed: [{ host: 'a.example', kind, status: null, why: sentence }] })
    expect([denied[0]?.reason, reached]).toEqual([kind, []])
    const request = lab.events.find((each) => each.kind === 'egress.request')
    expect(request?.data).toMatchObject({ reason: kind, detail: sentence, address: null })
  })
})

test('4: a client that leaves while its login is renewed is not refused for a missing credential', async () => {
  const asked = Promise.withResolvers<void>()
  const secret = (signal?: AbortSignal): Promise<Secret> =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      asked.resolve()
    })
  await using lab = await open(() => {}, { credentials: [{ ...credential, secret }] })
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.write(say('POST /v1/messages', 'Content-Length: 0', 'X-Api-Key: sk-placeholderplaceholder'))
  await asked.promise
  client.destroy()
  await expect.poll(() => lab.gateway.summary().requests).toBeDefined()
  const { models, denied } = lab.gateway.summary()
  expect([models, denied]).toEqual([undefined, []])
})

describe('4: a name that does not resolve on this machine', () => {
  const gone = new Error('getaddrinfo ENOTFOUND a.example')

  test('is answered with a status that clients do not retry, and reported', async () => {
    const told: string[] = []
    const resolver = { resolve: () => Promise.reject(gone) }
    await using lab = await open(() => {}, { resolver, onNotice: (notice) => told.push(`${notice.kind} ${notice.host}`) })
    const answer = await once1(lab, post('/v1/messages'))
    expect(answer).toMatch(/^HTTP\/1.1 424 /)
    expect(answer).toContain('paddock: the name a.example does not resolve on this machine\n')
    expect(answer).not.toContain('ENOTFOUND')
    expect(told).toEqual(['unresolvable a.example'])
    expect(lab.gateway.summary().models).toMatchObject({ failed: [{ host: 'a.example', kind: 'unresolvable', status: null }] })
    expect(lab.gateway.summary().reached).toEqual([])
  })

  test('is answered with 502 if it was reached before, because that may pass', async () => {
    let up = true
    const resolve = async () => {
      if (!up) throw gone
      return [{ address: '93.184.216.34', family: 4 as const }]
    }
    await using lab = await open((_request, response) => void response.writeHead(200, { connection: 'close' }).end(), {
      resolver: { resolve },
    })
    expect(await once1(lab, post('/v1/messages'))).toMatch(/^HTTP\/1.1 200 /)
    expect(lab.gateway.summary().reached).toMatchObject([{ host: 'a.example', port: 443, connections: 1 }])
    up = false
    expect(await once1(lab, post('/v1/messages'))).toMatch(/^HTTP\/1.1 502 /)
  })
})
