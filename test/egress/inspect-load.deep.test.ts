import { afterAll, beforeAll, expect, test } from 'vitest'
import { https1, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

test('1,000 inspected connections at once, each with several requests, none lost, and the host stays small', async () => {
  await using lab = await openInspectLab(network, ['deny POST /denied'])
  await lab.upstream(
    443,
    https1((request, response) => void request.resume().on('end', () => response.end(`${request.url}${'x'.repeat(2_000)}`))),
  )
  const script = `
    const tls = require('node:tls'), ca = ${JSON.stringify(lab.ca)}
    const context = tls.createSecureContext({ ca })
    let good = 0, left = 1000, open = 0
    const start = []
    for (let index = 0; index < 1000; index++) {
      const socket = tls.connect({ port: 443, host: '198.18.0.1', servername: 'a.example', secureContext: context, ALPNProtocols: ['http/1.1'] })
      let got = ''
      const say = (line, more = '') => socket.write(line + ' HTTP/1.1\\r\\nHost: a.example\\r\\n' + more + '\\r\\n')
      // All are open before the first asks.
      socket.on('secureConnect', () => { start.push(() => { say('GET /' + index); say('POST /denied'); say('GET /again' + index, 'Connection: close\\r\\n') }); if (++open === 1000) for (const go of start) go() })
      socket.on('data', (chunk) => { got += chunk }).on('error', () => {})
      socket.on('close', () => {
        if (got.includes('/' + index + 'xxx') && got.includes('403') && got.includes('/again' + index + 'xxx')) good++
        if (--left === 0) console.log(good)
      })
    }`
  const before = process.memoryUsage().rss
  const ran = await network.run([process.execPath, '-e', script])
  expect(ran.stdout).toBe('1000\n')
  expect(lab.gateway.summary()).toMatchObject({ connections: 1_000, requests: { allowed: 2_000, denied: 1_000 } })
  expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1_048_576)
  // Connections to the host are reused.
  expect(lab.dialled.length).toBeLessThanOrEqual(300)
})
