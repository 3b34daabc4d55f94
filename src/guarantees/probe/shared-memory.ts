import { readFileSync } from 'node:fs'
import type { CellWishes, ProbeBench } from './bench.ts'

const program = new URL('./shared-memory.pl', import.meta.url)

export type SharedMemory = 'file' | 'mapping'

/**
 * Allocates shared memory in a cell and keeps it for some time. `had`: the memory was available, and the cell was not ended. Null if
 * the cell has no Perl.
 */
export async function takeShared(
  bench: ProbeBench,
  how: SharedMemory,
  taken: { readonly mebibytes: number; readonly seconds: number },
  wishes: CellWishes,
): Promise<{ readonly had: boolean } | null> {
  const arm = process.arch === 'arm64' ? '1' : '0'
  const { report, stdout, stderr } = await bench.run(
    ['perl', '-e', readFileSync(program, 'utf8'), how, `${taken.mebibytes}`, `${taken.seconds}`, arm],
    wishes,
  )
  const { ending } = report
  if (ending.kind === 'exited' && (ending.code === 127 || ending.code === 126)) return null
  if (ending.kind === 'out-of-memory') return { had: false }
  if (stdout.includes('had')) return { had: true }
  throw new Error(`shared memory could not be allocated (${ending.kind}): ${stderr.trim().slice(-200)}`)
}
