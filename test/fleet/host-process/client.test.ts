import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { AgentData } from '../../../src/fleet/data-directory.ts'
import { connectViewer } from '../../../src/fleet/host-process/host-client.ts'
import { temporary } from '../../support/temporary.ts'

test('a host process that hangs up on a viewer ends only that connection', async () => {
  await using place = await temporary()
  const server = createServer((socket) => void socket.destroy()).listen(place.at('host.sock'))
  await once(server, 'listening')
  const viewer = { name: 'x', mayType: false, takes: false, answers: false, isBorrower: false, size: { columns: 80, rows: 24 } }
  // The kernel decides whether its first frame still finds a socket, so this is tried often. An unhandled error would end this process.
  for (let tries = 0; tries < 100; tries += 1) {
    const socket = await connectViewer({ socket: place.at('host.sock') } as AgentData, 's-none', viewer)
    if (socket?.closed === false) await once(socket, 'close')
    expect(socket?.destroyed).toBe(true)
  }
  server.close()
})
