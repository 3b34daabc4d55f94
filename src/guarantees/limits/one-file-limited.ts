import { statSync } from 'node:fs'
import path from 'node:path'
import { broken, type Guarantee, held } from '../guarantee.ts'

const MiB = 1024 ** 2

export const oneFileLimited: Guarantee = {
  id: 'one-file-limited',
  chapter: 'limits',
  claim: 'A cell can make no file larger than its limit (16 GiB by default), not even a sparse one, and cannot raise the limit.',
  mechanism: 'RLIMIT_FSIZE as a hard limit (setrlimit(2)), set before the agent starts.',
  kind: 'structural',
  why: 'The kernel refuses every write and truncation beyond it (EFBIG, SIGXFSZ). Raising a hard limit needs a capability that the cell does not have.',
  fails: ['Many files of the maximum size: see disk-growth-limited.'],
  probe: async (bench) => {
    const project = await bench.project()
    const { result } = await bench.inside(
      ({ fs, attempt, sh }) => ({
        small: attempt(() => fs.writeFileSync('small', Buffer.alloc(1 << 19))),
        ways: {
          written: sh('ulimit -f unlimited; ulimit -f 1000000; head -c 3000000 /dev/zero > written')?.code,
          appended: sh('for i in 1 2 3 4 5 6; do head -c 500000 /dev/zero >> appended; done')?.code,
          sparse: sh('dd if=/dev/zero of=sparse bs=1 count=1 seek=3000000')?.code,
          truncated: sh('truncate -s 3000000 truncated')?.code,
          raised: sh('prlimit --pid $$ --fsize=unlimited && head -c 3000000 /dev/zero > raised')?.code,
        },
      }),
      null,
      { project, limits: { fileSize: MiB } },
    )
    const sizes = Object.keys(result.ways).map((each) => [each, size(path.join(project, each))] as const)
    const large = sizes.filter(([, bytes]) => bytes > MiB)
    if (large.length > 0) return broken(`with a limit of 1 MiB, a file of ${large[0]?.[1]} bytes was made (${large[0]?.[0]})`)
    if (result.small !== 'ok' || size(path.join(project, 'small')) !== MiB / 2)
      return broken(`a file below the limit could not be made (${result.small}), so the probe is inconclusive`)
    return held(
      `with a limit of 1 MiB, ${Object.keys(result.ways).join(', ')}: the largest file has ${Math.max(...sizes.map(([, bytes]) => bytes))} bytes; one of 512 KiB was made`,
    )
  },
}

function size(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
