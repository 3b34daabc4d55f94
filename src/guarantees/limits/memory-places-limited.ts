import { broken, type Guarantee, held } from '../guarantee.ts'

const MiB = 1024 ** 2
const limit = 8 * MiB

export const memoryPlacesLimited: Guarantee = {
  id: 'memory-places-limited',
  chapter: 'limits',
  claim: 'What a cell writes to its places in memory (/tmp, /var/tmp, /run, /dev/shm, a temporary home) is bounded for each of them.',
  mechanism: 'Each is a tmpfs with a size: an eighth of the memory, or the disk limit where that is less. The root and /dev are read-only.',
  kind: 'structural',
  why: 'A tmpfs gives no page beyond its size (tmpfs(5)), and no other file system in memory can be written to. Memory without a place in the file system (memory files, shared memory) is memory of the cell: see memory-limited.',
  fails: [
    'Several places together hold a multiple. Where a control group holds the memory, they count there; elsewhere only what a process has mapped of them counts as its memory.',
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
    if (full.length < 3) return broken(`only ${full.length} places in memory could be written to, so nothing was shown`)
    const closed = result.filter((each) => each.written === 0).map((each) => `${each.place} (${each.end})`)
    return held(
      `with a limit of 8 MiB: ${full.map((each) => `${each.place} ${Math.round(each.written / MiB)} MiB, then ${each.end}`).join('; ')}; closed: ${closed.join(', ')}`,
    )
  },
}
