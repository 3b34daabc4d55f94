import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CellCredential } from '../../../src/egress/placeholder/credential.ts'
import { Secret } from '../../../src/secrets/secret.ts'
import { ask, h2, once1, say, servers } from '../../support/inspect-clients.ts'
import { https1, openInspectLab } from '../../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const real = 'sk-real-canary-of-the-host/0123456789+abc='
const placeholder = 'sk-standinstandinstandinstandin'

function credential(change: Partial<CellCredential> = {}): CellCredential {
  return {
    name: 'THE_KEY',
    hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/v1/**'] }],
    places: [
      { kind: 'header', name: 'x-api-key' },
      { kind: 'header', name: 'authorization', scheme: 'Bearer' },
      { kind: 'query', name: 'key' },
    ],
    placeholders: () => [placeholder],
    secret: async () => Secret.fromText('THE_KEY', real),
    ...change,
  }
}
const open = (change: Partial<CellCredential> = {}) => openInspectLab(network, [], { credentials: [credential(change)] })

test('an echo in the reason phrase or in the name of a field is masked', async () => {
  await using lab = await open({ secret: async () => Secret.fromText('THE_KEY', 'sk-real-canary-of-the-host-0123456789') })
  await lab.upstream(
    443,
    https1((request, response) => {
      const key = String(request.headers['x-api-key'])
      response.writeHead(403, `no such key ${key}`, { [`x-${key}`]: '1' }).end()
    }),
  )
  const answer = await once1(lab, say('GET /v1/x', `X-Api-Key: ${placeholder}`))
  expect(answer).toMatch(/^HTTP\/1.1 403 no such key \*{30}/)
  expect(answer).not.toContain('canary')
})

describe.each(['HTTP/1.1', 'HTTP/2'] as const)('a host that speaks %s', (version) => {
  test('is never asked for a part of an echo, which would be too short to be found', async () => {
    await using lab = await open()
    await lab.upstream(443, servers[version]())
    const fields = ['Range', 'If-Range', 'Request-Range', 'X-Ms-Range', 'If_Range'].map((each) => `${each}: bytes=0-3`)
    const answers = [
      await once1(lab, say('GET /v1/x', `X-Api-Key: ${placeholder}`, ...fields)),
      await once1(lab, say('GET /stored', ...fields)),
    ]
    const session = await h2(lab)
    answers.push(String((await ask(session, { ':path': '/v1/x', 'x-api-key': placeholder, range: 'bytes=4-7' })).body))
    session.close()
    for (const each of answers) {
      expect(each).toContain('"method":"GET"')
      expect(each).not.toMatch(/range|bytes=/i)
    }
  })
})

test.each([
  ['lower-case escapes of URLs', () => encodeURIComponent(real).replace(/%../g, (each) => each.toLowerCase())],
  ['JSON with its slashes escaped', () => real.replaceAll('/', '\\/')],
])('an echo in %s is masked', async (_, spelt) => {
  await using lab = await open()
  await lab.upstream(
    443,
    https1((_request, response) => response.end(`<${spelt()}>`)),
  )
  const answer = await once1(lab, say('GET /v1/x', `X-Api-Key: ${placeholder}`))
  expect(answer).toMatch(/<\*+>/)
})

test('every spelling of another account is denied at a host that belongs to the credential', async () => {
  const told: string[] = []
  await using lab = await open({ exclusive: true, places: [{ kind: 'header', name: 'authorization', scheme: 'Bearer' }] })
  await lab.upstream(
    443,
    https1((request: IncomingMessage, response: ServerResponse) => {
      told.push(`${request.url} ${request.rawHeaders.join(' ')}`)
      response.end()
    }),
  )
  for (const target of [
    'k%65y=theirs',
    '%256bey=theirs',
    'a=1;key=theirs',
    'KEY=theirs',
    `key=${placeholder}&k%65y=theirs`,
    'key[]=theirs',
    'access_token=theirs',
    '$httpHeaders=Authorization:x',
  ])
    expect(await once1(lab, say(`GET /v1/files?${target}`)), target).toMatch(/^HTTP\/1.1 403/)
  for (const field of [
    'X_Api_Key: theirs',
    `Authorization: Bearer theirs ${placeholder}`,
    `Authorization: Bearer theirs, Bearer ${placeholder}`,
    `X-Api-Key: theirs ${placeholder}`,
    // Vendors also accept a key there, but this credential is a login.
    'X-Api-Key: theirs',
    'X-Goog-Api-Key: theirs',
    'Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.theirs',
  ])
    expect(await once1(lab, say('GET /v1/files', field)), field).toMatch(/^HTTP\/1.1 403/)
  expect(told).toEqual([])
  expect(await once1(lab, say(`GET /v1/files?key=${placeholder}&page=2`))).toMatch(/^HTTP\/1.1 200/)
  expect(
    await once1(lab, say('GET /v1/files?monkey=1&alt=sse', `Authorization: Bearer ${placeholder}`, 'Sec-WebSocket-Protocol: realtime')),
  ).toMatch(/^HTTP\/1.1 200/)
})

test('a refused websocket brings no echo in its reason phrase, and a 401 is reported', async () => {
  const fields = ['Connection: Upgrade', 'Upgrade: websocket', `X-Api-Key: ${placeholder}`]
  let rejected = 0
  await using lab = await open({
    secret: async () => Secret.fromText('THE_KEY', 'sk-real-canary-of-the-host-0123456789'),
    rejected: () => {
      rejected++
    },
  })
  await lab.upstream(
    443,
    https1((request, response) => response.writeHead(401, `no such key ${request.headers['x-api-key']}`).end()),
  )
  const answer = await once1(lab, say('GET /v1/ws', ...fields))
  expect(answer).toMatch(/^HTTP\/1.1 401 no such key \*{30}/)
  expect(answer).not.toContain('canary')
  expect(rejected).toBe(1)
})

test('an echo in UTF-16 is masked, and no other character set is asked for', async () => {
  let asked: unknown
  await using lab = await open()
  await lab.upstream(
    443,
    https1((request, response) => {
      asked = request.headers['accept-charset']
      const wide = Buffer.from(`<${real}>`, 'utf16le')
      response.end(Buffer.concat([wide, Buffer.from(wide).swap16()]))
    }),
  )
  const answer = await once1(lab, say('GET /v1/x', `X-Api-Key: ${placeholder}`, 'Accept-Charset: utf-16'))
  expect(asked).toBeUndefined()
  expect(answer.replaceAll('\0', '')).not.toContain('canary')
  expect(answer).toContain('*'.repeat(real.length * 2))
})
