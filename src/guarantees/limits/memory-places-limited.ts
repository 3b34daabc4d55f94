import { broken, type Guarantee, held } from '../guarantee.ts'

const MiB = 1024 ** 2
const limit = 8 * MiB

export const memoryPlacesLimited: Guarantee = {
  id: 'memory-places-limited',
  chapter: 'limits',
  claim: "Each of a cell's in-memory directories (/tmp, /var/tmp, /run, /dev/shm, a temporary home) has a size limit.",
  mechanism: 'Each is a tmpfs with a size: an eighth of the memory, or the disk limit if that is smaller. The root and /dev are read-only.',
  kind: 'structural',
  why: 'A tmpfs allocates no page beyond its size (tmpfs(5)), and no other in-memory file system is writable. Memory outside the file system (memory files, shared memory) counts as memory of the cell: see memory-limited.',
  fails: [
    "Several of these directories together can use a multiple of it. With a control group, they count as the cell's memory; without one, only the parts that a process has mapped do.",
  ],
  probe: async (bench) => {
    const { result } = await bench.inside(
      ({ fs, attempt }, given) => {
        const mounts = fs
          .readFileSync('/proc/self/mounts', 'utf8')
          .split('\n')
          .map((line) => line.split(' '))
          .filter((words) => ['tmpfs', 'ramfs', 'devtmpfs', 'hugetlbfs', 'mqueue'].includes(words[2] ?? ''))
          .map((words) => words[1] ?? '')
        const block = new Uint8Array(1 << 20)
        return mounts.map((place) => {
          let written = 0
          const end = attempt(() => {
            const file = fs.openSync(`${place}/filler`, 'w')
            try {
              while (written < given.most) written += fs.writeSync(file, block)
            } finally {
              fs.closeSync(file)
              fs.rmSync(`${place}/filler`)
            }
          })
          return { place, written, end }
        })
      },
      { most: limit * 3 },
      { limits: { disk: limit } },
    )
    const over = result.filter((each) => each.written > limit)
    if (over.length > 0)
      return broken(`with a limit of 8 MiB, ${over.map((each) => `${each.place} took ${Math.round(each.written / MiB)} MiB`).join(', ')}`)
    const full = result.filter((each) => each.written > 0)
    if (full.length < 3) return broken(`only ${full.length} in-memory directories could be written to, so the probe is inconclusive`)
    const closed = result.filter((each) => each.written === 0).map((each) => `${each.place} (${each.end})`)
    return held(
      `with a limit of 8 MiB: ${full.map((each) => `${each.place} ${Math.round(each.written / MiB)} MiB, then ${each.end}`).join('; ')}; not writable: ${closed.join(', ')}`,
    )
  },
}
