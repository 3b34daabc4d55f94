import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLab } from '../support/egress-lab.ts'
import { echo, ending, refusal, until } from '../support/egress-peers.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

describe('under load', () => {
  test('1,000 connections at once, none lost', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    const script = `
      const net = require('node:net'); let good = 0, left = 1000
      for (let index = 0; index < 1000; index++) {
        const socket = net.connect(9000, '198.18.0.1'); let got = ''
        const want = index + '\\n' + 'x'.repeat(20000)
        socket.on('connect', () => socket.end(want)).on('data', (chunk) => { got += chunk })
        socket.on('error', () => {}).on('close', () => { if (got === want) good++; if (--left === 0) console.log(good) })
      }`
    expect((await network.run([process.execPath, '-e', script])).stdout).toBe('1000\n')
    await expect.poll(() => lab.events.filter(({ kind }) => kind === 'egress.end').length).toBe(1_000)
    expect(lab.gateway.summary()).toMatchObject({ connections: 1_000, denied: [] })
  })

  test('more connections than allowed are reset, and room comes back', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }], { limits: { connections: 2 } })
    await lab.upstream(9000, echo)
    const open = [await network.connect('198.18.0.1', 9000), await network.connect('198.18.0.1', 9000)]
    for (const socket of open) socket.write('PING\n')
    for (const socket of open) await until(socket, 'PING')
    expect(await refusal(network, '198.18.0.1', 9000)).toBe('ECONNRESET')
    await lab.event('egress.deny', 'too-many')
    open[0]?.end()
    await lab.event('egress.end')
    const next = await network.connect('198.18.0.1', 9000)
    next.end('PING\n')
    expect(await text(next)).toBe('PING\n')
  })

  test('a client that does not read holds the server back, and the host stays small', async () => {
    await using lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    let sent = 0
    let stuck = false
    const chunk = Buffer.alloc(256 * 1_024)
    await lab.upstream(9000, (socket) => {
      const pour = () => {
        stuck = false
        while (sent < 512 * 1_048_576 && socket.write(chunk)) sent += chunk.length
        stuck = true
      }
      socket.on('drain', pour).once('data', pour)
    })
    const client = await network.connect('198.18.0.1', 9000)
    client.write('PING\n')
    for (let last = -1; !stuck || last !== sent; ) {
      last = sent
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(sent).toBeLessThan(64 * 1_048_576)
    client.resetAndDestroy()
  })

  test('closing resets what is open', async () => {
    const lab = await openLab(network, [{ host: 'a.example', ports: [9000] }])
    await lab.upstream(9000, echo)
    const talking = await network.connect('198.18.0.1', 9000)
    talking.write('PING\n')
    await until(talking, 'PING')
    const silent = await network.connect('198.18.0.1', 9000)
    const gone = [ending(talking), ending(silent)]
    await lab.gateway.close()
    await lab.gateway.close()
    expect((await Promise.all(gone))[0]).toBe('ECONNRESET')
    await lab[Symbol.asyncDispose]()
    await expect(network.connect('198.18.0.1', 9000)).rejects.toThrow('ECONNREFUSED')
  })
})
