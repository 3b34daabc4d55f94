import { spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { bareHost } from '../../src/cell/backends/bare-host/backend.ts'
import { pathsBelow, realCells } from '../support/real-cell.ts'
import { temporary } from '../support/temporary.ts'

test('a descriptor of the caller reaches a cell of a backend that cannot pass it on, byte by byte', async () => {
  await using directory = await temporary()
  const backend = { ...bareHost({ searchPath: '/usr/bin:/bin', sessionEnv: {} }), passesDescriptors: false as const }
  const start = realCells(pathsBelow(directory.path), { backends: [backend] })
  const fifo = directory.at('fifo')
  expect(spawn('mkfifo', [fifo]).pid).toBeDefined()
  const sent = 'x'.repeat(300_000)
  const writer = spawn('sh', ['-c', `sleep 0.2; head -c ${sent.length} /dev/zero | tr '\\0' x > "$0"`, fifo])
  await new Promise((resolve) => setTimeout(resolve, 100))
  const descriptor = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const cell = await start(
    {
      ...{ name: 'pumped', posture: 'L0', isBareHost: true, command: ['cat'], cwd: '/', mounts: [], files: [], env: {}, pathEntries: [] },
      ...{ home: { kind: 'temporary' }, egress: { mode: 'open', entries: [] }, limits: {}, terminal: false, degraded: [] },
    },
    { stdin: { descriptor } },
  )
  expect(cell.stdin).toBe(null)
  cell.stderr.resume()
  expect(await text(cell.stdout)).toBe(sent)
  expect((await cell.done).ending).toEqual({ kind: 'exited', code: 0 })
  expect(() => closeSync(descriptor)).toThrow()
  expect(writer.exitCode).toBe(0)
})
