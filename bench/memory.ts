import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { descendants } from '../src/system/process-tree.ts'
import type { Figure } from './measure.ts'
import { median } from './measure.ts'

const cells = 40

/** Measures the memory of this process for each idle cell, and its processes. */
export async function idleCells(start: StartCell, spec: CellSpec): Promise<Figure[]> {
  const idle = { ...spec, command: ['sleep', '300'] }
  const first = await start(idle, { stdin: 'none' })
  const before = resident()
  const ended = new AbortController()
  const running = await Promise.all(Array.from({ length: cells }, () => start(idle, { stdin: 'none' }, ended.signal)))
  // The holders end shortly after they have passed on their listeners.
  await new Promise((resolve) => setTimeout(resolve, 500))
  const each = (resident() - before) / cells / 1024 ** 2
  const processes = (descendants(process.pid).length / (cells + 1)).toFixed(2)
  ended.abort()
  first.stop('cancelled')
  await Promise.all([first, ...running].map((cell) => cell.done))
  return [
    {
      name: `memory of the host process for each of ${cells} idle cells`,
      value: `${each.toFixed(2)} MB`,
      bar: 'under 4 MB',
      met: each < 4,
    },
    { name: 'processes for each idle cell (bwrap, its init, the command)', value: processes, bar: '3', met: processes === '3.00' },
  ]
}

/** Measures the peak memory of the process of a whole run (ru_maxrss of getrusage(2)). */
export function wholeRun(directory: string, env: Record<string, string>): Figure[] {
  const bin = fileURLToPath(new URL('../bin/paddock.mjs', import.meta.url))
  const peak = fileURLToPath(new URL('./peak.mjs', import.meta.url))
  const one = (): number => {
    const args = ['--import', peak, bin, 'run', '--quiet', '--egress', 'off', '--', 'sleep', '1']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, env, encoding: 'utf8' })
    const found = /^peak (\d+)$/m.exec(stderr)?.[1]
    if (status !== 0 || found === undefined) throw new Error(`a run ended with ${status}: ${stdout}${stderr}`)
    return Number(found) / 1024
  }
  one()
  const mb = median(Array.from({ length: 6 }, one))
  return [{ name: 'peak memory of paddock run --egress off -- sleep 1', value: `${mb.toFixed(1)} MB`, bar: 'at most 60 MB', met: mb <= 60 }]
}

function resident(): number {
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  collect?.()
  return process.memoryUsage.rss()
}
