import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { reset } from '../../../src/egress/connection/reset.ts'

async function pair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  const [[far]] = await Promise.all([once(server, 'connection'), once(near, 'connect')])
  server.close()
  return [near, far as Socket]
}

const closed = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let how = 'clean'
    socket.on('error', (error: NodeJS.ErrnoException) => {
      how = error.code ?? 'error'
    })
    socket.once('close', () => resolve(how))
  })
const ended = async (speaker: Socket, listener: Socket) => {
  speaker.end()
  await once(listener.resume(), 'end')
}

test.each<[string, (near: Socket, far: Socket) => unknown, string]>([
  ['open', () => {}, 'ECONNRESET'],
  ['with much unsent', (near) => near.write(Buffer.alloc(8_000_000)), 'ECONNRESET'],
  ['with much unsent before the end of its stream', (near) => near.end(Buffer.alloc(8_000_000)), 'ECONNRESET'],
  ['whose peer has ended', (near, far) => ended(far, near), 'ECONNRESET'],
  ['whose end is on its way', (near) => near.end(), 'clean'],
  ['whose last bytes and end are on their way', (near) => near.end('x'), 'clean'],
  ['whose end has arrived', (near, far) => ended(near, far), 'clean'],
  ['that both have ended', (near, far) => ended(far, near).then(() => near.end()), 'clean'],
])('a socket %s is closed for good, without an error of its own', async (_what, prepare, seen) => {
  const [near, far] = await pair()
  const gone = [closed(near), closed(far)]
  await prepare(near, far)
  reset(near)
  reset(near)
  expect(await gone[0]).toBe('clean')
  far.resume().end()
  expect(await gone[1]).toBe(seen)
})
