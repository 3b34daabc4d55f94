import { afterAll, beforeAll, expect, test } from 'vitest'
import { https2, openInspectLab } from '../support/inspect-lab.ts'
import { growth } from '../support/memory.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** Streams beyond the budget of 512: all of these are refused, however slow the machine is. */
const beyond = 200 * 30 - 512

/** Opens 200 connections with 30 uploads each, exits when those beyond the budget are refused and nothing moves any more, and prints how many were. */
const flood = (ca: string) => `
  const http2 = require('node:http2'), tls = require('node:tls')
  const secureContext = tls.createSecureContext({ ca: ${JSON.stringify(ca)} })
  const sessions = [], body = Buffer.alloc(1 << 20)
  let refused = 0, left = 200
  const createConnection = () => tls.connect({ host: '198.18.0.1', port: 443, servername: 'a.example', secureContext, ALPNProtocols: ['h2'] })
  for (let i = 0; i < 200; i++) {
    const session = http2.connect('https://a.example', { createConnection }).on('error', () => {})
    sessions.push(session)
    for (let j = 0; j < 30; j++) {
      const stream = session.request({ ':method': 'POST', ':path': '/stall' }, { endStream: false }).on('error', () => {})
      stream.on('close', () => { if (stream.rstCode === 7) refused++ })
      stream.write(body)
    }
    session.once('connect', () => { if (--left === 0) settle(-1, 0) })
  }
  const settle = (last, still) => {
    const moved = sessions.reduce((sum, session) => sum + (session.destroyed ? 0 : session.socket.bytesWritten), refused)
    if (refused >= ${beyond} && moved === last && still >= 3) { console.log(refused); process.exit(0) }
    setTimeout(settle, 300, moved, moved === last ? still + 1 : 0)
  }
  setTimeout(() => { console.log(refused); process.exit(1) }, 60_000)`

test('uploads that stall on many HTTP/2 connections hold little memory, and those beyond the budget are refused', async () => {
  await using lab = await openInspectLab(network)
  const up = https2('a.example', { settings: { initialWindowSize: 0 } })
  up.server.on('stream', (stream) => void stream.on('error', () => {}))
  await lab.upstream(443, up)
  const grown = await growth(async () => {
    const ran = await network.run([process.execPath, '-e', flood(lab.ca)])
    expect(ran.stderr).toBe('')
    expect(Number(ran.stdout)).toBeGreaterThanOrEqual(beyond)
  })
  expect(grown).toBeLessThan(400)
})

/** Opens 20 connections with 25 downloads each that nobody reads, and exits when the host has sent everything that it may. */
const deaf = (ca: string) => `
  const http2 = require('node:http2'), tls = require('node:tls')
  const secureContext = tls.createSecureContext({ ca: ${JSON.stringify(ca)} })
  const createConnection = () => tls.connect({ host: '198.18.0.1', port: 443, servername: 'a.example', secureContext, ALPNProtocols: ['h2'] })
  let left = 500
  for (let i = 0; i < 20; i++) {
    const session = http2.connect('https://a.example', { createConnection, settings: { initialWindowSize: 0 } }).on('error', () => {})
    for (let j = 0; j < 25; j++) session.request({ ':path': '/' }).on('error', () => {}).once('response', () => { if (--left === 0) setTimeout(() => process.exit(0), 1500) })
  setTimeout(() => { console.error('left', left); process.exit(1) }, 60_000)
  }`

test('downloads that the client does not read hold little memory', async () => {
  await using lab = await openInspectLab(network)
  // By default, the host would end the session instead of buffering so much for it.
  const up = https2('a.example', { maxSessionMemory: 4_000 })
  const body = Buffer.alloc(2 * 1_048_576)
  up.server.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200 })
    stream.write(body)
  })
  await lab.upstream(443, up)
  const grown = await growth(async () => {
    const ran = await network.run([process.execPath, '-e', deaf(lab.ca)])
    expect(ran.stderr).toBe('')
  })
  expect(grown).toBeLessThan(350)
})
