import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectH2, constants } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, servers } from '../support/inspect-clients.ts'
import { type InspectLab, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

async function pinging(lab: InspectLab): Promise<ClientHttp2Session> {
  const socket = await lab.tls({ ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  return connectH2('https://a.example', { createConnection: () => socket, maxOutstandingPings: 1_000_000 }).on('error', () => {})
}

/** Resolves when all pings are answered, or the session is closed. */
async function pings(session: ClientHttp2Session, count: number): Promise<void> {
  const over = Promise.withResolvers<void>()
  session.once('close', over.resolve)
  const each = Array.from({ length: count }, () => new Promise((resolve) => session.ping(resolve)))
  await Promise.race([Promise.all(each), over.promise])
  session.off('close', over.resolve)
}

test('B11: a session that is flooded with PINGs is ended, and others go on', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(443, servers['HTTP/2']())
  const [loud, quiet] = [await pinging(lab), await pinging(lab)]
  let code = -1
  loud.once('goaway', (given: number) => {
    code = given
  })
  const ended = new Promise((resolve) => loud.once('close', () => resolve('ended')))
  void pings(loud, 5_000)
  expect(await Promise.race([ended, pause(60_000, 'goes on', { ref: false })])).toBe('ended')
  expect(code).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM)
  expect(await ask(quiet, {})).toMatchObject({ status: 200 })
  quiet.destroy()
})

test('B11: a session that sends a PING with each of its requests goes on', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(443, servers['HTTP/2']())
  const session = await pinging(lab)
  for (let round = 0; round < 40; round++) {
    await Promise.all(Array.from({ length: 50 }, () => ask(session, {})))
    await pings(session, 50)
  }
  expect(session.destroyed).toBe(false)
  session.destroy()
})
