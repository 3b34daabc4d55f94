import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { openReceiver } from '../../support/receiver.ts'

const never = new AbortController().signal
const delivery = { headers: { 'content-type': 'application/json', 'x-paddock-time': '1' }, body: Buffer.from('{"event":{"id":1}}') }

/** Starts a server that answers any request with these bytes, and returns its port. */
async function answering(bytes: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(bytes))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

test('a delivery arrives whole, at the path and host of its URL, and a proxy of the environment is not used', async () => {
  await using receiver = await openReceiver((response) => response.writeHead(204).end())
  process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1'
  onTestFinished(() => {
    for (const name of ['HTTP_PROXY', 'http_proxy']) Reflect.deleteProperty(process.env, name)
  })
  expect(await receiver.send('http://receiver.example:8080/a/b?c=d', delivery, never)).toEqual({ status: 204, problem: null })
  expect(receiver.dialled).toEqual(['93.184.216.34:8080'])
  expect(receiver.received).toEqual([
    {
      url: '/a/b?c=d',
      body: '{"event":{"id":1}}',
      headers: { ...delivery.headers, host: 'receiver.example:8080', 'content-length': '18', connection: 'close' },
    },
  ])
})

test.each([
  [500, 'Answered 500.'],
  [404, 'Answered 404.'],
  [304, 'Answered 304; redirects are not followed.'],
])('status %i is a failure', async (status, problem) => {
  await using receiver = await openReceiver((response) => response.writeHead(status).end('hostile \u001b[31m text'))
  expect(await receiver.send('http://receiver.example/', delivery, never)).toEqual({ status, problem })
})

test('a redirect, also to an internal address, is not followed', async () => {
  await using inner = await openReceiver()
  await using receiver = await openReceiver((response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${inner.port}/`, refresh: `0; url=http://127.0.0.1:${inner.port}/` }).end(),
  )
  expect(await receiver.send('http://receiver.example/', delivery, never)).toMatchObject({ status: 307 })
  expect([receiver.received.length, inner.received.length]).toEqual([1, 0])
})

test('an answer without an end is read no further than a few KiB', async () => {
  let written = 0
  await using receiver = await openReceiver((response) => {
    response.on('error', () => undefined)
    const more = (): void => {
      if (response.destroyed) return
      written += 1024
      if (response.write('x'.repeat(1024))) setImmediate(more)
      else response.once('drain', more)
    }
    more()
  })
  expect(await receiver.send('http://receiver.example/', delivery, never)).toEqual({ status: 200, problem: null })
  expect(written).toBeLessThan(64 * 1024 * 1024)
})

test.each([
  ['nothing', ''],
  ['no HTTP', 'SSH-2.0-x\r\n\r\n'],
  ['a head without an end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`],
  ['an invalid status', 'HTTP/1.1 two OK\r\n\r\n'],
  ['only an interim answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
])('a receiver that answers with %s has failed, and its words are not shown', async (_, bytes) => {
  const port = await answering(bytes)
  await using receiver = await openReceiver(undefined, undefined, { elsewhere: port })
  const { status, problem } = await receiver.send('http://receiver.example/', delivery, never)
  expect(status).toBeNull()
  expect(problem).toMatch(/^(?:The connection failed \([A-Z0-9_]+\)|The connection was closed without an answer)\.$/)
})

test('a switch of protocols does not count as success', async () => {
  const port = await answering('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
  await using receiver = await openReceiver(undefined, undefined, { elsewhere: port })
  expect(await receiver.send('http://receiver.example/', delivery, never)).toEqual({ status: 101, problem: 'Answered 101.' })
})

test('a receiver that does not answer in time has failed', async () => {
  await using receiver = await openReceiver(() => undefined, undefined, { timeoutMs: 500 })
  expect(await receiver.send('http://receiver.example/', delivery, never)).toEqual({ status: null, problem: 'No answer within 0.5 s.' })
})

test('a delivery that is ended rejects, and its connection is closed', async () => {
  const ending = new AbortController()
  let closed = false
  await using receiver = await openReceiver((response) => {
    response.once('close', () => {
      closed = true
    })
    ending.abort(new Error('the server ends'))
  })
  await expect(receiver.send('http://receiver.example/', delivery, ending.signal)).rejects.toThrow('the server ends')
  while (!closed) await new Promise((resolve) => setImmediate(resolve))
})

test('a receiver that does not listen has failed', async () => {
  await using receiver = await openReceiver(undefined, undefined, { elsewhere: 1 })
  expect(await receiver.send('http://receiver.example/', delivery, never)).toEqual({
    status: null,
    problem: 'The connection failed (ECONNREFUSED).',
  })
})

test('a certificate of an unknown authority, or for another name, is refused, whatever the environment says', async () => {
  const issuer = makeIssuer(['*'])
  await using receiver = await openReceiver(undefined, issuer.issue('receiver.example'))
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  onTestFinished(() => void Reflect.deleteProperty(process.env, 'NODE_TLS_REJECT_UNAUTHORIZED'))
  const { status, problem } = await receiver.send('https://receiver.example/', delivery, never)
  expect([status, receiver.received]).toEqual([null, []])
  expect(problem).toMatch(/^The connection failed \((?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|DEPTH_ZERO_\w+)\)\.$/)
})
