import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/egress-peers.ts'
import { h2, say } from '../support/inspect-clients.ts'
import { https1, https2, type InspectLab, openInspectLab } from '../support/inspect-lab.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await openTestNetwork()
})
afterAll(() => network[Symbol.asyncDispose]())
/** Returns the errors that nobody in the process caught while `act` ran. */
async function uncaught(act: () => Promise<void>): Promise<string[]> {
  const found: string[] = []
  const old = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  const on = (error: Error) => void found.push(`${(error as NodeJS.ErrnoException).code} ${error.message}`)
  process.on('uncaughtException', on)
  try {
    await act()
    await pause(50)
  } finally {
    process.off('uncaughtException', on)
    for (const each of old) process.on('uncaughtException', each)
  }
  return found
}

/** Sends one HTTP/2 request, and waits for its end or for five seconds. */
async function askOnce(lab: InspectLab): Promise<void> {
  const session = await h2(lab)
  const stream = session.request({ ':path': '/' })
  stream.on('error', () => {})
  stream.resume()
  await Promise.race([once(stream, 'close'), pause(5_000)])
  session.destroy()
}

test('trailers twice to an HTTP/2 host', async () => {
  await using lab = await openInspectLab(network)
  const up = https2()
  up.server.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.resume().on('end', () => {
      stream.respond({ ':status': 200 })
      stream.end('ok')
    })
  })
  await lab.upstream(443, up)
  const found = await uncaught(async () => {
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(`${say('POST /x', 'Transfer-Encoding: chunked')}1\r\nx\r\n0\r\nETag: a\r\nETag: b\r\nAge: 1\r\nAge: 2\r\n\r\n`)
    await Promise.race([until(client, 'ok'), pause(5_000)])
    client.destroy()
  })
  expect(found).toEqual([])
})
test('early hints that Node does not like', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(
    443,
    https1((_request, response) => {
      response.socket?.write('HTTP/1.1 103 Early Hints\r\nLink: nonsense\r\n\r\n')
      setTimeout(() => response.end('ok'), 100)
    }),
  )
  const found = await uncaught(async () => {
    const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
    client.write(say('GET /x'))
    await Promise.race([until(client, 'ok'), pause(5_000)])
    client.destroy()
  })
  expect(found).toEqual([])
})
test.each([
  '103 Early Hints\r\nETag: a\r\nETag: b',
  '103 Early Hints\r\nX-A: \u00e9',
  '102 Processing',
  '199 x',
  '101 x',
  '110 x\r\nDate: a\r\nDate: b',
])('interim answers to an HTTP/2 client: %s', async (line) => {
  await using lab = await openInspectLab(network)
  await lab.upstream(
    443,
    https1((_request, response) => {
      response.socket?.write(`HTTP/1.1 ${line}\r\n\r\n`)
      setTimeout(() => response.end('ok'), 100)
    }),
  )
  const found = await uncaught(() => askOnce(lab))
  expect(found).toEqual([])
})
test('trailers twice to an HTTP/2 client', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(
    443,
    https1((_request, response) => {
      response.writeHead(200, { trailer: 'etag' })
      response.write('ok')
      response.addTrailers([
        ['ETag', 'a'],
        ['ETag', 'b'],
        ['Age', '1'],
        ['Age', '2'],
      ])
      response.end()
    }),
  )
  const found = await uncaught(() => askOnce(lab))
  expect(found).toEqual([])
})
test('answers that Node does not like', async () => {
  await using lab = await openInspectLab(network)
  await lab.upstream(
    443,
    https1((request, response) => {
      const heads: Record<string, string> = {
        '/1': '200 OK\r\nETag: a\r\nETag: b\r\nContent-Length: 0',
        '/2': '999 x\r\nContent-Length: 0',
        '/3': '600 x\r\nContent-Length: 0',
        '/4': '200 \u0080\r\nContent-Length: 0',
        '/5': '204 No\r\nContent-Length: 5\r\n',
        '/6': '205 No\r\nContent-Length: 5\r\n\r\nhello',
        '/7': '200 OK\r\nTransfer-Encoding: gzip, chunked',
        '/8': '200 OK\r\nx@y: 1',
        '/9': '099 x',
      }
      response.socket?.write(`HTTP/1.1 ${heads[request.url ?? '']}\r\n\r\n`)
    }),
  )
  const found = await uncaught(async () => {
    const session = await h2(lab)
    for (const each of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const stream = session.request({ ':path': `/${each}` })
      stream.on('error', () => {})
      stream.resume()
      await Promise.race([once(stream, 'close'), pause(300)])
      const client = await lab.tls({ ALPNProtocols: ['http/1.1'] })
      client.write(say(`GET /${each}`))
      client.on('data', () => {})
      await Promise.race([once(client, 'close'), pause(300)])
      client.destroy()
    }
    session.destroy()
  })
  expect(found).toEqual([])
}, 30000)
test('h2 clients of odd manners', async () => {
  await using lab = await openInspectLab(network, ['deny * /no'])
  const up = https2()
  up.server.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.resume().on('end', () => {
      if (!stream.destroyed) {
        stream.respond({ ':status': 200 })
        stream.end('ok')
      }
    })
  })
  await lab.upstream(443, up)
  const found = await uncaught(async () => {
    const session = await h2(lab)
    const tries: [Record<string, string | string[]>, Record<string, string | string[]>][] = [
      [{ ':path': '/no', ':method': 'HEAD' }, {}],
      [{ ':path': '/no', ':method': 'POST', expect: '100-continue' }, {}],
      [
        { ':path': '/x', ':method': 'POST' },
        { etag: 'a', 'x-b': ['1', '2'] },
      ],
      [{ ':path': '/x', ':method': 'POST' }, { 'x-\u00e9': 'a' }],
      [{ ':path': '/x', ':method': 'POST', 'set-cookie': ['a', 'b'], te: 'trailers', cookie: ['a=1', 'b=2'] }, { 'x-b': '\u00ff' }],
      [{ ':path': '/x', ':method': 'post' }, {}],
      [{ ':path': '*', ':method': 'OPTIONS' }, {}],
      [{ ':path': '/x', x: ['\u00e9', 'b'] }, {}],
    ]
    for (const [head, trailers] of tries) {
      try {
        const stream = session.request({ ':method': 'GET', ...head } as never, { waitForTrailers: true, endStream: false })
        stream.on('error', () => {})
        stream.on('wantTrailers', () => {
          try {
            stream.sendTrailers(trailers as never)
          } catch {
            stream.close()
          }
        })
        stream.resume()
        stream.end('x')
        await Promise.race([once(stream, 'close'), pause(300)])
      } catch {
        // Node itself refuses some of these.
      }
    }
    session.destroy()
  })
  expect(found).toEqual([])
}, 30000)
