import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GatewayOptions } from '../../src/egress/cell-gateway.ts'
import { connectTcp } from '../../src/egress/connection/dial.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { h2, once1, say, servers } from '../support/inspect-clients.ts'
import { https2, type InspectLab, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const givenUp = () => pause(60_000, 'not answered', { ref: false })

/** Sends HEADERS without END_STREAM, then an empty DATA with it. The gateway has read both when `sent` is called. */
async function emptyBody(session: ClientHttp2Session, fields: Record<string, string>, sent: () => void): Promise<number | string> {
  const stream = session.request({ ':path': '/', ...fields }, { endStream: false }).on('error', () => {})
  const answered = once(stream, 'response').then(([head]) => Number(head[':status']))
  stream.resume().end()
  await pause(20)
  session.ping(sent)
  return Promise.race([answered, givenUp()])
}

/** Events that the gateway waits for when the body ends. */
const waits: Record<string, (go: Promise<void>) => { readonly rules: readonly string[]; readonly options: Partial<GatewayOptions> }> = {
  'the first connection to the host': () => ({ rules: [], options: {} }),
  'an answer to its question': (go) => ({
    rules: ['ask * /**'],
    options: { approve: () => go.then(() => ({ allowed: true, by: 'terminal' }) as never) },
  }),
  'a slow credential': (go) => ({
    rules: [],
    options: {
      credentials: [
        {
          name: 'KEY',
          hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/**'] }],
          places: [{ kind: 'header', name: 'x-api-key' }],
          placeholders: () => ['placeholder'],
          secret: () => go.then(() => Secret.fromText('KEY', 'sk-real-canary-0123456789')),
        },
      ],
    },
  }),
}

for (const version of ['HTTP/1.1', 'HTTP/2'] as const) {
  test.each(Object.keys(waits))(
    `A7: an empty body that ends while the gateway waits for %s is sent on to a host of ${version}`,
    async (wait) => {
      const go = Promise.withResolvers<void>()
      const { rules, options } = waits[wait]?.(go.promise) ?? { rules: [], options: {} }
      let lab: InspectLab | undefined
      lab = await openInspectLab(network, rules, {
        connect: async (target, signal) => {
          await go.promise
          return connectTcp({ address: '127.0.0.1', family: 4, port: lab?.servers.get(`${target.address}:${target.port}`) ?? 0 }, signal)
        },
        ...options,
      })
      await using _ = lab
      await lab.upstream(443, servers[version]())
      const session = await h2(lab)
      for (const [index, method] of ['POST', 'PATCH', 'GET'].entries())
        expect([method, await emptyBody(session, { ':method': method, ...(index === 1 ? { te: 'trailers' } : {}) }, go.resolve)]).toEqual([
          method,
          200,
        ])
      session.destroy()
    },
  )
}

/** Returns a host that answers with a head, and ends the answer in a separate frame. */
function emptyAnswers() {
  const made = https2()
  made.server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200 }, { waitForTrailers: headers[':path'] === '/trailers' })
    stream.once('wantTrailers', () => stream.sendTrailers({ 'x-sum': '0' }))
    stream.resume().end()
  })
  return made
}

test.each(['/', '/trailers'])('A7: an answer whose body is empty ends for clients of both versions: %s', async (path) => {
  await using lab = await openInspectLab(network)
  await lab.upstream(443, emptyAnswers())
  const session = await h2(lab)
  for (let time = 0; time < 3; time++) {
    const stream = session.request({ ':path': path }).resume()
    expect(await Promise.race([once(stream, 'close').then(() => stream.rstCode), givenUp()])).toBe(0)
    expect(await Promise.race([once1(lab, say(`GET ${path}`)), givenUp()])).toMatch(/^HTTP\/1.1 200 [\s\S]*0\r\n(?:x-sum: 0\r\n)?\r\n$/)
  }
  session.destroy()
})
