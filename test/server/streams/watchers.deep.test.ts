import { once } from 'node:events'
import { expect, it } from 'vitest'
import { bearer, testServer } from '../../support/test-server.ts'

it('500 WebSockets get each of 400 events once', async () => {
  await using server = await testServer()
  const headers = bearer(server.secrets.viewer)
  const all = await Promise.all(
    Array.from({ length: 500 }, async () => {
      const { json } = await server.ask('/api/v1/tickets', { method: 'POST', headers })
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/v1/watch?after=0`, json.protocols)
      const ids: number[] = []
      const done = Promise.withResolvers<void>()
      socket.onmessage = ({ data }) => {
        const frame = JSON.parse(data)
        if (frame.type === 'items') ids.push(...frame.items.map(({ id }: { id: number }) => id))
        if (ids.at(-1) === 400) done.resolve()
      }
      socket.onclose = () => done.resolve()
      await once(socket, 'open')
      return { socket, ids, done: done.promise }
    }),
  )
  for (let round = 0; round < 40; round += 1) {
    server.events.add(...Array.from({ length: 10 }, () => 'x'.repeat(200)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(all.map(({ done }) => done))
  const expected = Array.from({ length: 400 }, (_, index) => index + 1)
  for (const { ids } of all) expect(ids).toEqual(expected)
  for (const { socket } of all) socket.close()
})
