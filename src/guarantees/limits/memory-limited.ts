import { PaddockError } from '../../base/errors.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'
import type { CellWishes, ProbeBench } from '../probe/bench.ts'
import { type SharedMemory, takeShared } from '../probe/shared-memory.ts'

const MiB = 1024 ** 2
const limit = 128 * MiB

/**
 * Returns a script with memory eaters. Each dd(1) reads one block into memory before it writes, and keeps it while its reader sleeps.
 */
const eaters = (count: number, each: number): string =>
  `eat() { dd if=/dev/zero bs=${each}M count=1 2>/dev/null | { if [ "$(head -c 1 | wc -c)" = 1 ]; then echo full; sleep 8; else echo gone; fi; }; }
   for each in ${'x '.repeat(count)}; do eat & done; wait`

export const memoryLimited: Guarantee = {
  id: 'memory-limited',
  chapter: 'limits',
  claim:
    'With a control group, a cell uses no more memory than its limit. Without one, a cell is ended within two seconds when its processes together use more (including shared memory), and an explicit limit is refused.',
  mechanism:
    "The memory controller of the cell's control group, or MemoryMax of a systemd scope. If neither is available, a check of the pages of all processes, memory files and System V segments four times a second.",
  kind: 'structural',
  why: "The kernel counts the pages and kills processes that exceed the limit. The cell can neither reach its control group nor raise a hard limit. Paddock reads the kernel's own accounting from outside.",
  fails: [
    'Without a control group this is monitoring: between two checks a cell can use more than the limit.',
    'Without a control group, shared memory that a program hides from the check: files in transit through a socket or open in only one thread, pages that are not mapped at that moment.',
    'Without a control group, files in /tmp and the other in-memory directories are counted separately; see memory-places-limited.',
    'Memory that the kernel does not charge to a group, or to the pages of a process.',
  ],
  probe: async (bench) => {
    const wishes = await asked(bench)
    const whole = wishes.degraded === undefined
    const alone = await eat(bench, eaters(1, 256), 1, wishes, whole)
    if (whole ? alone.full > 0 : alone.ending !== 'out-of-memory') return broken('a process used 256 MiB in a cell with a limit of 128 MiB')
    const small = await eat(bench, eaters(1, 32), 1, wishes)
    if (small.full !== 1) return broken('not even 32 MiB could be allocated, so the probe is inconclusive')
    const shared: SharedMemory[] = []
    for (const how of ['file', 'mapping'] as const) {
      const taken = await takeShared(bench, how, { mebibytes: 256, seconds: 12 }, wishes)
      if (taken?.had)
        return broken(`256 MiB of shared memory (a ${how}) were allocated in a cell with a limit of 128 MiB, which was not ended`)
      if (taken !== null) shared.push(how)
    }
    if (shared.length > 0 && !(await takeShared(bench, 'file', { mebibytes: 32, seconds: 0 }, wishes))?.had)
      return broken('not even 32 MiB of shared memory could be allocated, so the probe is inconclusive')
    const endings =
      shared.length === 0
        ? 'shared memory was not tried, because Perl is missing'
        : `cells with 256 MiB of shared memory (${shared.join(', ')}) were ended`
    if (!whole)
      return held(
        `an explicit limit is refused here: no control group can be made for the whole cell. By default, with a limit of 128 MiB: a cell with 256 MiB in one process was ended, ${endings}, 32 MiB were allocated`,
      )
    const together = await eat(bench, eaters(4, 64), 4, wishes)
    // A full eater may have been killed to make room for the next. The kernel's peak value says how much memory was used at the same time.
    if (together.full === 4 && (together.peak === null || together.peak > limit))
      return broken('four processes used 4 × 64 MiB at once in a cell with a limit of 128 MiB')
    return held(
      `with a limit of 128 MiB (${alone.mechanism}): 256 MiB in one process and 64 MiB in each of four were ended, ${endings}${together.peak === null ? '' : ` (${Math.round(together.peak / MiB)} MiB at most at once)`}, 32 MiB were allocated`,
    )
  },
}

/** Returns the limit as a user requests it. If the machine can enforce it only in part, that is accepted (`degraded`). */
async function asked(bench: ProbeBench): Promise<CellWishes> {
  const wishes = { limits: { memory: limit } }
  try {
    await bench.run(['true'], wishes)
    return wishes
  } catch (error) {
    if (error instanceof PaddockError && error.code === 'UNENFORCEABLE') return { ...wishes, degraded: ['memory'] }
    throw error
  }
}

/** Runs memory eaters until each is full or gone, or without `isStopped` until the cell ends. */
async function eat(
  bench: ProbeBench,
  script: string,
  count: number,
  wishes: CellWishes,
  isStopped = true,
): Promise<{ full: number; peak: number | null; mechanism: string; ending: string }> {
  const cell = await bench.start(['/bin/sh', '-c', script], wishes)
  cell.stderr.resume()
  let said = ''
  cell.stdout.on('data', (chunk) => {
    said += String(chunk)
    if (isStopped && said.split('\n').length > count) cell.stop('cancelled')
  })
  const report = await cell.done
  const mechanism = report.limits.find((each) => each.limit === 'memory')?.mechanism ?? ''
  return { full: said.split('full').length - 1, peak: report.resources.peakMemoryBytes, mechanism, ending: report.ending.kind }
}
