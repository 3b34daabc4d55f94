import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CellCredential } from '../../src/egress/placeholder/credential.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { until } from '../support/egress-peers.ts'
import { say, tell } from '../support/inspect-clients.ts'
import { https1, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

const credential: CellCredential = {
  name: 'KEY',
  hosts: [{ host: 'a.example', port: 443, tls: true, paths: ['/**'] }],
  places: [{ kind: 'header', name: 'x-api-key' }],
  placeholders: () => ['placeholder'],
  secret: async () => Secret.fromText('KEY', 'sk-real-canary-0123456789'),
}

/** Returns a host that echoes the bytes of websockets. */
function echoing() {
  const made = https1(tell)
  made.server.on('upgrade', (_request, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    socket.pipe(socket)
  })
  return made
}

test.each([
  ['without a credential', []],
  ['with a credential', [credential]],
])('B6: a websocket %s brings no warning of Node into the terminal', async (_, credentials) => {
  const warnings: string[] = []
  const warned = (warning: Error) => void warnings.push(warning.message)
  process.on('warning', warned)
  await using lab = await openInspectLab(network, [], { credentials })
  await lab.upstream(443, echoing())
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.write(say('GET /before'))
  await until(client, '}')
  client.write(say('GET /ws', 'Connection: Upgrade', 'Upgrade: websocket'))
  await until(client, '101 Switching')
  client.write('frames')
  await until(client, 'frames')
  client.destroy()
  await lab.event('egress.end')
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', warned)
  expect(warnings).toEqual([])
})

test('a websocket ends for the host when the client leaves, and for the client when the host does', async () => {
  await using lab = await openInspectLab(network)
  const sockets: Socket[] = []
  const host = echoing()
  host.server.on('upgrade', (_request, socket: Socket) => void sockets.push(socket))
  await lab.upstream(443, host)
  const open = async () => {
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(say('GET /ws', 'Connection: Upgrade', 'Upgrade: websocket'))
    await until(client, '101 Switching')
    return { client, socket: sockets.pop() as Socket }
  }
  for (const end of ['destroy', 'end'] as const) {
    const first = await open()
    const left = new Promise((resolve) => first.socket.once('close', resolve))
    first.client[end]()
    await left
    const second = await open()
    const ended = new Promise((resolve) => second.client.once('close', resolve))
    second.client.resume()
    second.socket[end]()
    await ended
  }
})
