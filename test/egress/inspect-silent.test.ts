import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:http2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicAddress } from '../support/egress-lab.ts'
import { ask, h2 } from '../support/inspect-clients.ts'
import { https2, internet, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** A host in a separate process, so that it can be stopped and killed. */
const program = `
  const http2 = require('node:http2')
  const server = http2.createSecureServer(JSON.parse(process.env.LEAF), (request, response) => request.url === '/half' ? response.write('who') : response.end('whole'))
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

async function hostProcess() {
  const child = spawn(process.execPath, ['-e', program], {
    env: { LEAF: JSON.stringify(internet.issue('a.example')) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    port: Number(line),
    child,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await gone
    },
  }
}

test('A4: a host that stops answering is left, and asked over another connection when it goes on', async () => {
  await using lab = await openInspectLab(network, [], { limits: { silentMs: 1_000 } })
  await using host = await hostProcess()
  lab.servers.set(`${publicAddress}:443`, host.port)
  const session = await h2(lab)
  expect(await ask(session, {})).toMatchObject({ status: 200 })
  const half = session.request({ ':path': '/half' }).on('error', () => {})
  await once(half, 'data')
  host.child.kill('SIGSTOP')
  expect(await ask(session, {})).toMatchObject({ status: 502 })
  expect([half.closed, half.rstCode]).toEqual([true, constants.NGHTTP2_INTERNAL_ERROR])
  host.child.kill('SIGCONT')
  expect(await ask(session, {})).toMatchObject({ status: 200 })
  expect(lab.dialled).toHaveLength(2)
  session.destroy()
})

test('A4: a host whose process is killed and started again is asked over another connection', async () => {
  await using lab = await openInspectLab(network)
  const session = await h2(lab)
  for (let time = 1; time <= 2; time++) {
    await using host = await hostProcess()
    lab.servers.set(`${publicAddress}:443`, host.port)
    // The end of the previous process may still be in transit.
    await expect.poll(async () => (await ask(session, {})).status, { timeout: 60_000 }).toBe(200)
    expect(lab.dialled).toHaveLength(time)
  }
  session.destroy()
})

test('A4: a host that takes its time over an answer but answers PINGs is not left', async () => {
  await using lab = await openInspectLab(network, [], { limits: { silentMs: 500 } })
  const up = https2()
  up.server.on('stream', (stream) => {
    let pings = 0
    stream.session?.on('ping', () => {
      if (++pings !== 3) return
      stream.respond({ ':status': 200 })
      stream.end('whole')
    })
  })
  await lab.upstream(443, up)
  const session = await h2(lab)
  expect(await ask(session, {})).toMatchObject({ status: 200 })
  expect(lab.dialled).toHaveLength(1)
  session.destroy()
})
