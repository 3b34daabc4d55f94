import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { type Figure, inTurn, median, time } from './measure.ts'

export const bin = fileURLToPath(new URL('../bin/paddock.mjs', import.meta.url))
export const peer = fileURLToPath(new URL('./peers/node_modules/.bin/srt', import.meta.url))

/** Measures whole processes, as a shell starts them. The figure is the median of six ratios, because other load on the machine varies. */
export async function wholeProcess(directory: string, env: Record<string, string>): Promise<Figure[]> {
  const run = (...args: string[]) => time(() => finished(process.execPath, args, directory, env))
  const contenders = { paddock: () => run(bin, 'run', '--quiet', '--egress', 'off', '--', 'true'), node: () => run('-e', '0') }
  const name = 'paddock run --egress off -- true, whole process'
  if (!existsSync(peer))
    return [
      {
        name,
        value: `${median((await inTurn(15, contenders)).paddock).toFixed(0)} ms`,
        bar: 'at most 0.45 of srt -c true (srt is not installed)',
        met: null,
      },
    ]
  const runs: Record<'paddock' | 'srt' | 'node' | 'ratio', number>[] = []
  for (let each = 0; each < 6; each++) {
    const found = await inTurn(15, { ...contenders, srt: () => run(peer, '-c', 'true') })
    const [paddock, srt, node] = [median(found.paddock), median(found.srt), median(found.node)]
    runs.push({ paddock, srt, node, ratio: paddock / srt })
  }
  const middle = (of: keyof (typeof runs)[number]): number => median(runs.map((each) => each[of]))
  const ms = (of: 'paddock' | 'srt' | 'node'): string => `${middle(of).toFixed(0)} ms`
  const value = `${ms('paddock')}, srt ${ms('srt')}, node -e 0 ${ms('node')}: ${middle('ratio').toFixed(2)}`
  return [{ name, value, bar: 'at most 0.45 of srt', met: middle('ratio') <= 0.45 }]
}

/** Measures cells of a process that is already running. */
export async function insideProcess(start: StartCell, spec: CellSpec): Promise<Figure[]> {
  const one = async (): Promise<void> => {
    const cell = await start(spec, { stdin: 'none' })
    cell.stdout.resume()
    cell.stderr.resume()
    await cell.done
  }
  await one()
  const single = median((await inTurn(30, { one: () => time(one) })).one)
  const crowd = await time(() => Promise.all(Array.from({ length: 20 }, one)))
  return [
    {
      name: 'a cell inside a running process, allowlist, start to end',
      value: `${single.toFixed(0)} ms p50`,
      bar: 'at most 45 ms',
      met: single <= 45,
    },
    { name: '20 cells at once, start to end of all', value: `${crowd.toFixed(0)} ms`, bar: 'under 1,500 ms', met: crowd < 1500 },
  ]
}

/** Measures the start-up cost of a real network: pasta and the packet filter, compared to only the gateway. */
export async function realNetwork(start: StartCell, spec: CellSpec): Promise<Figure[]> {
  const one = async (egress: CellSpec['egress']): Promise<void> => {
    const cell = await start({ ...spec, egress }, { stdin: 'none' })
    cell.stdout.resume()
    cell.stderr.resume()
    await cell.done
  }
  const contenders = {
    allowlist: () => time(() => one({ mode: 'allowlist', entries: [] })),
    public: () => time(() => one({ mode: 'public', entries: [], blocked: [] })),
  }
  const name = 'egress public instead of allowlist, start to end'
  const bar = 'at most 25 ms more'
  try {
    await contenders.public()
  } catch (error) {
    return [{ name, value: `not here: ${error instanceof Error ? error.message : String(error)}`, bar, met: null }]
  }
  const found = await inTurn(30, contenders)
  const [allowlist, real] = [median(found.allowlist), median(found.public)]
  return [
    {
      name,
      value: `${real.toFixed(0)} ms, allowlist ${allowlist.toFixed(0)} ms: ${(real - allowlist).toFixed(0)} ms more`,
      bar,
      met: real - allowlist <= 25,
    },
  ]
}

/** Runs a program to its end. */
export function finished(program: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`))))
  })
}
