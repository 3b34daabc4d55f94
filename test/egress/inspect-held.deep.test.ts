import type { ClientHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, h2, servers } from '../support/inspect-clients.ts'
import { http1, https1, https2, openInspectLab } from '../support/inspect-lab.ts'
import { growth } from '../support/memory.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** Sends requests with large heads on each connection as long as they are accepted, and exits when nothing moves any more. */
const pipelined = (ca: string, connections: number) => `
  const tls = require('node:tls')
  const secureContext = tls.createSecureContext({ ca: ${JSON.stringify(ca)} })
  const head = Buffer.from('GET / HTTP/1.1\\r\\nHost: a.example\\r\\nX-Large: ' + 'x'.repeat(15000) + '\\r\\n\\r\\n')
  const sockets = []
  let opening = ${connections}
  const say = (socket, left) => left > 0 && !socket.destroyed && socket.write(head, () => say(socket, left - 1))
  for (let i = 0; i < ${connections}; i++) {
    const socket = tls.connect({ host: '198.18.0.1', port: 443, servername: 'a.example', secureContext, ALPNProtocols: ['http/1.1'] })
    socket.on('error', () => {}).once('close', () => opening--).once('secureConnect', () => { socket.removeAllListeners('close'); opening--; say(socket, 63) })
    sockets.push(socket)
  }
  const settle = (last, still) => {
    const moved = sockets.reduce((sum, socket) => sum + (socket.bytesWritten ?? 0), 0)
    // Not by process.exit: with so large a heap, Node waits there for ever for a thread of its own now and then.
    if (moved === last && opening <= 0 && still >= 15) { console.log(moved); process.kill(process.pid, 'SIGKILL') }
    setTimeout(settle, 300, moved, moved === last ? still + 1 : 0)
  }
  settle(-1, 0)`

test('requests that are sent ahead on many connections to a host that never answers hold little memory', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(
    443,
    https1(() => {}),
  )
  const grown = await growth(async () => {
    const ran = await network.run([process.execPath, '-e', pipelined(lab.ca, 600)])
    expect(ran.stderr).toBe('')
    expect(Number(ran.stdout)).toBeGreaterThan(1_000_000)
  })
  expect(grown).toBeLessThan(400)
})

test('no more than two requests of a connection wait for their answers, and all are answered in their order', async () => {
  await using lab = await openInspectLab(network)
  const arrived: string[] = []
  const waiting: (() => void)[] = []
  await lab.upstream(
    443,
    https1((request, response) => {
      arrived.push(request.url ?? '')
      waiting.push(() => response.end(`<${request.url}>`))
    }),
  )
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  let answered = ''
  client.on('data', (chunk: Buffer) => {
    answered += chunk.toString('latin1')
  })
  const count = 20
  const bodies = Array.from({ length: count }, (_, at) => `POST /${at} HTTP/1.1\r\nHost: a.example\r\nContent-Length: 5\r\n\r\nhello`)
  client.write(bodies.join(''))
  for (let next = 0; next < count; next++) {
    await expect.poll(() => waiting.length, { timeout: 60_000 }).toBeGreaterThan(0)
    expect(arrived.length).toBeLessThanOrEqual(next + 2)
    waiting.shift()?.()
    await expect.poll(() => answered, { timeout: 60_000 }).toContain(`</${next}>`)
  }
  expect(answered.match(/<[^>]+>/g)).toEqual(bodies.map((_, at) => `</${at}>`))
  client.destroy()
})

const part = `GET / HTTP/1.1\r\nHost: a.example\r\nX-Large: ${'x'.repeat(12_000)}`

test.each([
  ['first bytes', '', part],
  ['heads that come later', `GET / HTTP/1.1\r\nHost: a.example\r\n\r\n`, part],
  ['requests that wait', '', `${part}\r\n\r\n`],
  [
    'what follows a request for a websocket',
    '',
    `GET / HTTP/1.1\r\nHost: a.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n${'x'.repeat(12_000)}`,
  ],
])('%s beyond the budget of the cell are refused, and what is let go of makes room', async (_, first, more) => {
  await using lab = await openInspectLab(network, [], { limits: { heldBytes: 60_000 } })
  let answers = first.startsWith('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n')
  const waiting: (() => void)[] = []
  await lab.upstream(
    80,
    http1((_request, response) => {
      if (answers) response.end('ok')
      else waiting.push(() => response.end('late'))
    }),
  )
  const open = async () => {
    const client = await network.connect('198.18.0.1', 80)
    client.on('error', () => {}).resume()
    if (first !== '') {
      client.write(first)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    client.write(more)
    return client
  }
  const clients: Socket[] = []
  for (let at = 0; at < 12; at++) clients.push(await open())
  const refused = (): number => lab.events.filter(({ kind, data }) => kind === 'egress.deny' && data['reason'] === 'too-many').length
  await expect.poll(refused, { timeout: 60_000 }).toBeGreaterThanOrEqual(7)
  expect(refused()).toBeLessThan(12)
  for (const each of clients) each.destroy()
  answers = true
  // A connection that is held back does not notice that its client has left until it is answered.
  for (const each of waiting) each()
  const again = async (): Promise<string> => {
    const client = await network.connect('198.18.0.1', 80)
    client.on('error', () => {})
    client.write(`GET / HTTP/1.1\r\nHost: a.example\r\nX-Large: ${'x'.repeat(12_000)}\r\n\r\n`)
    const answer = await new Promise<string>((resolve) => {
      client.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1', 0, 12))).once('close', () => resolve('closed'))
    })
    client.destroy()
    return answer
  }
  await expect.poll(again, { timeout: 60_000 }).toBe('HTTP/1.1 200')
})

test('streams of HTTP/2 whose heads find no room are refused, to be tried again', async () => {
  await using lab = await openInspectLab(network, [], { limits: { heldBytes: 200_000 } })
  const up = https2()
  up.server.on('stream', (stream) => void stream.on('error', () => {}))
  await lab.upstream(443, up)
  const ran = await network.run([
    process.execPath,
    '-e',
    `const http2 = require('node:http2'), tls = require('node:tls')
     const createConnection = () => tls.connect({ host: '198.18.0.1', port: 443, servername: 'a.example', ca: ${JSON.stringify(lab.ca)}, ALPNProtocols: ['h2'] })
     const session = http2.connect('https://a.example', { createConnection }).on('error', () => {})
     let refused = 0
     for (let at = 0; at < 20; at++)
       session.request({ ':path': '/', 'x-large': 'x'.repeat(40000) }).on('error', () => {}).on('close', function () {
         if (this.rstCode === 7 && ++refused === 16) { console.log('16 refused'); process.exit(0) }
       })
     setTimeout(() => { console.log(refused, 'refused'); process.exit(1) }, 20000)`,
  ])
  expect(ran.stdout.toString().trim()).toBe('16 refused')
})

test('B10: HTTP/2 connections count in the budget of the cell, and what is let go of makes room', async () => {
  await using lab = await openInspectLab(network, [], { limits: { heldBytes: 450_000 } })
  await lab.upstream(443, servers['HTTP/2']())
  const open: ClientHttp2Session[] = []
  for (let at = 0; at < 4; at++) {
    const session = await h2(lab)
    expect(await ask(session, {})).toMatchObject({ status: 200 })
    open.push(session)
  }
  const beyond = await h2(lab)
  await new Promise((resolve) => beyond.once('close', resolve))
  expect(await lab.event('egress.deny', 'too-many')).toBeDefined()
  for (const each of open) each.destroy()
  const again = async (): Promise<number> => {
    const session = await h2(lab)
    const answered = await Promise.race([ask(session, {}), new Promise<null>((resolve) => session.once('close', () => resolve(null)))])
    session.destroy()
    return answered?.status ?? 0
  }
  await expect.poll(again, { timeout: 60_000 }).toBe(200)
})
