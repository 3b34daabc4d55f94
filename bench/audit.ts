import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openAuditLog } from '../src/audit/audit-log.ts'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { type Figure, median } from './measure.ts'

const perSecond = 10_000
const pairs = 400
const sliceMs = 100
/** More bytes than can be transferred in the time. */
const endless = 1024 ** 4

/**
 * Measures what a relay at full speed loses while the same process writes 10,000 events a second to the audit log: one relay, alternately
 * with and without, so often that other load on the machine affects both.
 */
export async function auditCost(start: StartCell, spec: CellSpec, directory: string): Promise<Figure[]> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('./bytes-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = Number(await new Promise<string>((resolve) => server.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))))
  let upstream: Socket | undefined
  const connected = (message: unknown): void => {
    upstream = (message as { socket: Socket }).socket
  }
  subscribe('net.client.socket', connected)
  const cell = await start(
    {
      ...spec,
      command: ['curl', '-sS', '-o', '/dev/null', `http://bytes.test:${port}/${endless}`],
      egress: {
        mode: 'allowlist',
        entries: [{ host: 'bytes.test', ports: [port], internal: true, pin: { address: '127.0.0.1', port }, source: 'bench' }],
      },
    },
    { stdin: 'none' },
  )
  const log = openAuditLog(path.join(directory, 'audit'))
  const nowhere: typeof log.write = () => undefined
  /** Returns the relay's bytes a second, measured in one time slice. */
  const speed = async (write: typeof log.write): Promise<number> => {
    const before = upstream?.bytesRead ?? 0
    const began = performance.now()
    let due = 0
    const timer = setInterval(() => {
      for (const until = ((performance.now() - began) / 1_000) * perSecond; due < until; due++)
        write({
          kind: 'egress.end',
          cell: 'be4c4be4c4be',
          data: { connection: due, host: 'bytes.test', port, bytesOut: 90, bytesIn: endless },
        })
    }, 5)
    await setTimeout(sliceMs)
    clearInterval(timer)
    return ((upstream?.bytesRead ?? 0) - before) / ((performance.now() - began) / 1_000)
  }
  try {
    const found = { on: [] as number[], off: [] as number[], ratio: [] as number[] }
    // Lets the connection reach its speed, and the code be compiled.
    for (let warm = 0; warm < 10; warm++) await speed(log.write)
    for (let round = 0; round < pairs; round++) {
      const first = await speed(round % 2 === 0 ? log.write : nowhere)
      const second = await speed(round % 2 === 0 ? nowhere : log.write)
      const [on, off] = round % 2 === 0 ? [first, second] : [second, first]
      found.on.push(on)
      found.off.push(off)
      found.ratio.push(on / off)
    }
    const ratio = median(found.ratio)
    return [
      {
        name: 'a relay while 10,000 events/s go to the audit log',
        value: `${(median(found.on) / 1e9).toFixed(2)} GB/s, without ${(median(found.off) / 1e9).toFixed(2)} GB/s: ${ratio.toFixed(3)}`,
        bar: 'at least 0.97 of it',
        met: ratio >= 0.97,
      },
    ]
  } finally {
    unsubscribe('net.client.socket', connected)
    cell.stop('cancelled')
    await cell.done
    log.close()
    server.stdin?.end()
  }
}
