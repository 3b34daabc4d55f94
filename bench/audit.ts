import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AuditLog, openAuditLog } from '../src/audit/log.ts'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/spec.ts'
import { type Figure, median } from './measure.ts'

const total = 1024 ** 3
const perSecond = 10_000
const rounds = 15

/** What a relay at full speed loses while 10,000 events a second are written to the audit log by the same process. */
export async function auditCost(start: StartCell, spec: CellSpec, directory: string): Promise<Figure[]> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('./bytes-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = Number(await new Promise<string>((resolve) => server.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))))
  const command = ['curl', '-sS', '-o', '/dev/null', '-w', '%{speed_download}', `http://bytes.test:${port}/${total}`]
  const egress = {
    mode: 'allowlist' as const,
    entries: [{ host: 'bytes.test', ports: [port], internal: true, pin: { address: '127.0.0.1', port }, source: 'bench' }],
  }
  const speed = async (): Promise<number> => {
    const cell = await start({ ...spec, command, egress }, { stdin: 'none' })
    cell.stderr.pipe(process.stderr)
    let said = ''
    for await (const chunk of cell.stdout) said += String(chunk)
    await cell.done
    return Number(said)
  }
  const while10k = async (log: AuditLog): Promise<number> => {
    const began = performance.now()
    let due = 0
    const timer = setInterval(() => {
      for (const until = ((performance.now() - began) / 1_000) * perSecond; due < until; due++)
        log.write({
          kind: 'egress.end',
          cell: 'be4c4be4c4be',
          data: { connection: due, host: 'bytes.test', port, bytesOut: 90, bytesIn: total },
        })
    }, 5)
    try {
      return await speed()
    } finally {
      clearInterval(timer)
      log.close()
    }
  }
  const on = (): Promise<number> => while10k(openAuditLog(path.join(directory, 'audit')))
  const off = (): Promise<number> => while10k({ write: () => undefined, close: () => undefined })
  try {
    const found = { on: [] as number[], off: [] as number[], ratio: [] as number[] }
    await speed()
    for (let round = 0; round < rounds; round++) {
      // What else the machine does falls on both of a pair; that one comes first, on each in turn.
      const pair = round % 2 === 0 ? { on: await on(), off: await off() } : { off: await off(), on: await on() }
      found.on.push(pair.on)
      found.off.push(pair.off)
      found.ratio.push(pair.on / pair.off)
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
    server.stdin?.end()
  }
}
