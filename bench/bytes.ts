import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { type Figure, inTurn, median } from './measure.ts'
import { peer } from './start.ts'

const total = 2 * 1024 ** 3

/** Measures bytes a second from one server to one client (curl): through the gateway, through the peer's proxy, and directly. */
export async function throughput(start: StartCell, spec: CellSpec, directory: string, env: Record<string, string>): Promise<Figure[]> {
  const server = spawn(process.execPath, [fileURLToPath(new URL('./bytes-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const port = Number(await new Promise<string>((resolve) => server.stdout?.once('data', (chunk) => resolve(String(chunk).trim()))))
  const settings = path.join(directory, 'srt.json')
  writeFileSync(
    settings,
    JSON.stringify({
      network: { allowedDomains: ['localhost'], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: ['/tmp'], denyWrite: [] },
    }),
  )
  const report = '%{speed_download}'
  const curl = (url: string, ...more: string[]): string[] => ['curl', '-sS', '-o', '/dev/null', '-w', report, ...more, url]
  const inCell = async (): Promise<number> => {
    const egress = {
      mode: 'allowlist' as const,
      entries: [{ host: 'bytes.test', ports: [port], internal: true, pin: { address: '127.0.0.1', port }, source: 'bench' }],
    }
    const cell = await start({ ...spec, command: curl(`http://bytes.test:${port}/${total}`), egress }, { stdin: 'none' })
    cell.stderr.pipe(process.stderr)
    let said = ''
    for await (const chunk of cell.stdout) said += String(chunk)
    await cell.done
    return Number(said)
  }
  const contenders = { paddock: inCell, direct: () => speed(curl(`http://127.0.0.1:${port}/${total}`), directory, env) }
  const viaPeer = (): Promise<number> =>
    speed(
      [
        process.execPath,
        peer,
        '--settings',
        settings,
        '-c',
        curl(`http://localhost:${port}/${total}`, '--noproxy', "''", '-x', '"$HTTP_PROXY"').join(' '),
      ],
      directory,
      env,
    )
  const name = 'bytes out of a cell, one plain HTTP download of 2 GiB'
  try {
    if (!existsSync(peer)) {
      const found = await inTurn(3, contenders)
      return [
        {
          name,
          value: `${gigabytes(median(found.paddock))}, direct ${gigabytes(median(found.direct))}`,
          bar: 'at least 3 times srt (not installed)',
          met: null,
        },
      ]
    }
    const found = await inTurn(5, { ...contenders, srt: viaPeer })
    const ratio = median(found.paddock) / median(found.srt)
    return [
      {
        name,
        value: `${gigabytes(median(found.paddock))}, srt ${gigabytes(median(found.srt))}, direct ${gigabytes(median(found.direct))}: ${ratio.toFixed(1)}`,
        bar: 'at least 3.0 times srt',
        met: ratio >= 3,
      },
    ]
  } finally {
    server.stdin?.end()
  }
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB/s`

function speed(command: readonly string[], cwd: string, env: Record<string, string>): Promise<number> {
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += String(chunk)
    })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(Number(said.trim())) : reject(new Error(`${command.join(' ')} ended with ${code}`)),
    )
  })
}
