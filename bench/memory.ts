import type { StartCell } from '../src/cell/cell.ts'
import type { CellSpec } from '../src/cell/plan/spec.ts'
import { descendants } from '../src/system/process-tree.ts'
import type { Figure } from './measure.ts'

const cells = 40

/** Memory of this process for each idle cell, and what runs for it. */
export async function idleCells(start: StartCell, spec: CellSpec): Promise<Figure[]> {
  const idle = { ...spec, command: ['sleep', '300'] }
  const first = await start(idle, { stdin: 'none' })
  const before = resident()
  const ended = new AbortController()
  const running = await Promise.all(Array.from({ length: cells }, () => start(idle, { stdin: 'none' }, ended.signal)))
  // The holders end just after they have handed their listeners over.
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

function resident(): number {
  const collect = (globalThis as { gc?: () => void }).gc
  collect?.()
  collect?.()
  return process.memoryUsage.rss()
}
