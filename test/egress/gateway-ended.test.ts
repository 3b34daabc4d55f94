import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openGateway } from '../../src/egress/cell-gateway.ts'

test('a listener that arrives after the end of its gateway is closed, so that the process can end', async () => {
  const policy = { mode: 'allowlist', entries: [{ host: 'a.test', ports: [443], internal: false, source: 'test' }] } as const
  const gateway = openGateway({ cell: 'c', policy, audit: () => undefined, resolver: { resolve: async () => [] } })
  await gateway.close()
  for (const wish of gateway.wishes()) {
    const listener = wish.kind === 'dns-udp' ? createSocket('udp4').bind(0, '127.0.0.1') : createServer().listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const closed = once(listener, 'close')
    gateway.serve(wish, listener)
    await closed
  }
  expect(gateway.wishes().map(({ kind }) => kind)).toEqual(['dns-udp', 'dns-tcp', 'tcp'])
})
