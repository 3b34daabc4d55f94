import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/egress-peers.ts'
import { freshDirectory } from '../support/fresh-directory.ts'
import { h2, say, tell } from '../support/inspect-clients.ts'
import { https1, https2, type InspectLab, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())

/** Hosts that never send 100 Continue. */
const silent = {
  'HTTP/1.1': (listener: RequestListener) => {
    const made = https1(listener)
    made.server.on('checkContinue', listener)
    return made
  },
  'HTTP/2': (listener: RequestListener) => {
    const made = https2()
    made.server.on('request', listener as never)
    made.server.on('checkContinue', listener as never)
    return made
  },
}

/** Runs curl, which waits a minute for 100 Continue, and returns what it prints. */
async function curl(lab: InspectLab, ...args: string[]): Promise<string> {
  const directory = freshDirectory('/tmp/paddock-expect-')
  const relay = createServer(async (socket) => {
    const other = await network.connect('198.18.0.1', 443)
    socket.pipe(other).pipe(socket)
    socket.on('error', () => other.destroy())
    other.on('error', () => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  try {
    writeFileSync(path.join(directory, 'ca.pem'), lab.ca)
    writeFileSync(path.join(directory, 'body'), Buffer.alloc(3 * 1024 * 1024, 'x'))
    const child = spawn(
      'curl',
      [
        ...[
          '-q',
          '--silent',
          '--show-error',
          '--cacert',
          'ca.pem',
          '--expect100-timeout',
          '60',
          '--max-time',
          '50',
          '-H',
          'Expect: 100-continue',
        ],
        ...['--connect-to', `a.example:443:127.0.0.1:${(relay.address() as AddressInfo).port}`, '--data-binary', '@body', ...args],
      ],
      { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    return await text(child.stdout)
  } finally {
    relay.close()
    rmSync(directory, { recursive: true })
  }
}

describe.each(['HTTP/1.1', 'HTTP/2'] as const)('a host that speaks %s and never sends 100 Continue', (version) => {
  test('gets the bodies of a client that waits for it, on one connection, and never the expectation', async () => {
    await using lab = await openInspectLab(network)
    await lab.upstream(443, silent[version](tell))
    const shown = ['--write-out', ' %{num_connects} ']
    const got = await curl(lab, '--http1.1', ...shown, 'https://a.example/one', 'https://a.example/two')
    expect(got).toMatch(/^\{"method":"POST","url":"\/one","size":3145728,.*\} 1 \{"method":"POST","url":"\/two","size":3145728,.*\} 0 $/)
    expect(got).not.toMatch(/expect/i)
    expect(await curl(lab, '--http2', 'https://a.example/three')).toContain('"size":3145728')
  })

  test('may answer without reading the body, and the connection serves the next request', async () => {
    await using lab = await openInspectLab(network)
    await lab.upstream(
      443,
      silent[version]((request, response) => {
        if (request.url === '/early') response.writeHead(413, { 'content-length': 9 }).end('too large')
        else tell(request, response)
      }),
    )
    expect(await curl(lab, '--http1.1', '--write-out', ' %{http_code}', 'https://a.example/early')).toBe('too large 413')
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(say('POST /early', 'Expect: 100-continue', 'Content-Length: 3000000'))
    expect(await until(client, '\r\n\r\n')).toContain('100 Continue')
    // A client that was asked for its body sends all of it, and may then use the connection again.
    const rest = until(client, '"url":"/next"')
    client.write(Buffer.alloc(3_000_000))
    client.write(say('POST /next', 'Content-Length: 0'))
    expect(await rest).toMatch(/^HTTP\/1.1 413 [\s\S]*too largeHTTP\/1.1 200 /)
    client.destroy()
  })
})

test('100 Continue is sent once, even if the host sends it too, and not for a request without a body', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(
    443,
    https1((request, response) => {
      response.writeContinue()
      tell(request, response)
    }),
  )
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.write(`${say('POST /', 'Expect: 100-Continue', 'Content-Length: 3')}abc`)
  expect((await until(client, '}')).match(/100 Continue/g)).toHaveLength(1)
  client.write(say('GET /', 'Expect: 100-continue'))
  expect(await until(client, '}')).toMatch(/^HTTP\/1.1 200 /)
  client.destroy()
})

test.each(['200-ok', '100-continue, x', 'x=1;y'])('the expectation %s is refused', async (expectation) => {
  await using lab = await openInspectLab(network)
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.write(say('POST /', `Expect: ${expectation}`, 'Content-Length: 3'))
  // The client may never send its body, so the connection ends.
  expect(await text(client)).toMatch(/^HTTP\/1.1 417 [\s\S]*Connection: close[\s\S]*paddock: only 100-continue may be expected\n$/i)
  const session = await h2(lab)
  const stream = session.request({ ':path': '/', ':method': 'POST', expect: expectation })
  const [head] = (await once(stream, 'response')) as [Record<string, unknown>]
  expect(head[':status']).toBe(417)
  session.destroy()
  expect(lab.dialled).toEqual([])
})

test('a host that cannot be reached gets no body', async () => {
  await using lab = await openInspectLab(network)
  const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
  client.write(say('POST /', 'Expect: 100-continue', 'Content-Length: 3'))
  expect(await text(client)).toMatch(/^HTTP\/1.1 (502|424) /)
})
