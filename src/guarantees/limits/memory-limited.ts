import { PaddockError } from '../../errors.ts'
import type { CellWishes, ProbeBench } from '../bench.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

const MiB = 1024 ** 2
const limit = 128 * MiB

/** dd(1) reads one block into memory before it writes any of it, and keeps it while its reader sleeps. */
const eaters = (count: number, each: number): string =>
  `eat() { dd if=/dev/zero bs=${each}M count=1 2>/dev/null | { if [ "$(head -c 1 | wc -c)" = 1 ]; then echo full; sleep 8; else echo gone; fi; }; }
   for each in ${'x '.repeat(count)}; do eat & done; wait`

export const memoryLimited: Guarantee = {
  id: 'memory-limited',
  chapter: 'limits',
  claim:
    'A cell takes no more memory than its limit: all of it together where a control group can be had, else each of its processes; a limit that you ask for and that cannot be held for the whole is refused.',
  mechanism: 'The memory controller of a control group of the cell, or MemoryMax of a systemd scope; where there is neither, RLIMIT_DATA.',
  kind: 'structural',
  why: 'The kernel counts the pages and ends who goes beyond; the cell can reach neither its control group nor a higher hard limit.',
  fails: [
    'Without a control group many processes together take more than the limit, and what is in /tmp is bounded by its own size only.',
    'Memory that the kernel does not charge to a group.',
  ],
  probe: async (bench) => {
    const wishes = await asked(bench)
    const whole = wishes.degraded === undefined
    const alone = await eat(bench, eaters(1, 256), 1, wishes)
    if (alone.full > 0) return broken('a process held 256 MiB in a cell with a limit of 128 MiB')
    const small = await eat(bench, eaters(1, 32), 1, wishes)
    if (small.full !== 1) return broken('not even 32 MiB could be had, so nothing was shown')
    if (!whole)
      return held(
        'asked for, the limit is refused here: no control group can be made for the whole cell. By default each process is limited: 256 MiB with a limit of 128 MiB were refused, 32 MiB were had',
      )
    const together = await eat(bench, eaters(4, 64), 4, wishes)
    // One that was full may have been ended since, for the next: the kernel's own count says how much there was at once.
    if (together.full === 4 && (together.peak === null || together.peak > limit))
      return broken('four processes held 4 × 64 MiB at once in a cell with a limit of 128 MiB')
    return held(
      `with a limit of 128 MiB (${alone.mechanism}): 256 MiB in one process and 64 MiB in each of four were ended${together.peak === null ? '' : ` (${Math.round(together.peak / MiB)} MiB at most at once)`}, 32 MiB were had`,
    )
  },
}

/** The limit as a user asks for it, where the product can hold it. */
async function asked(bench: ProbeBench): Promise<CellWishes> {
  const wishes = { limits: { memoryBytes: limit } }
  try {
    await bench.run(['true'], wishes)
    return wishes
  } catch (error) {
    if (error instanceof PaddockError && error.code === 'UNENFORCEABLE') return { ...wishes, degraded: ['memory'] }
    throw error
  }
}

/** Runs eaters until each is full or gone. */
async function eat(
  bench: ProbeBench,
  script: string,
  count: number,
  wishes: CellWishes,
): Promise<{ full: number; peak: number | null; mechanism: string }> {
  const cell = await bench.start(['/bin/sh', '-c', script], wishes)
  cell.stderr.resume()
  let said = ''
  cell.stdout.on('data', (chunk) => {
    said += String(chunk)
    if (said.split('\n').length > count) cell.stop('cancelled')
  })
  const report = await cell.done
  const mechanism = report.limits.find((each) => each.limit === 'memory')?.mechanism ?? ''
  return { full: said.split('full').length - 1, peak: report.resources.peakMemoryBytes, mechanism }
}
