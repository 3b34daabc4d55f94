import { readFileSync } from 'node:fs'
import path from 'node:path'

import { broken, type Guarantee, held } from '../guarantee.ts'

const MiB = 1024 ** 2
const all = 64 * MiB
const most = 4 * MiB

export const outputHeldBack: Guarantee = {
  id: 'output-held-back',
  chapter: 'limits',
  claim: "A cell that writes output endlessly waits for its reader and does not fill Paddock's memory.",
  mechanism: 'Output goes through a kernel pipe, which Paddock reads only as fast as its own output is read.',
  kind: 'structural',
  why: 'A pipe buffers 64 KiB (pipe(7)), and a Node stream as much again. After that, the writer waits in write(2).',
  fails: ['The reader may store the output: paddock run does not limit the size of a file that you redirect it to.'],
  probe: async (bench) => {
    const project = await bench.project({ progress: '0' })
    const cell = await bench.start(
      bench.command(
        ({ fs }, given) => {
          const block = Buffer.alloc(1 << 16, 0x78)
          for (let written = 0; written < given.all; written += block.length) {
            for (let at = 0; at < block.length; )
              try {
                at += fs.writeSync(1, block, at)
              } catch (error) {
                if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
              }
            fs.writeFileSync('progress', String(written + block.length))
          }
        },
        { all },
      ),
      { project },
    )
    cell.stderr.resume()
    const progress = (): number => Number(readFileSync(path.join(project, 'progress'), 'utf8'))
    // Waits until there has been no progress for half a second.
    let seen = -1
    for (let still = 0, looks = 0; still < 10 && looks < 200 && seen < most; looks++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      const now = progress()
      still = now === seen && now > 0 ? still + 1 : 0
      seen = now
    }
    let read = 0
    cell.stdout.on('data', (chunk) => {
      read += (chunk as Buffer).length
    })
    const { ending } = await cell.done
    if (seen >= most) return broken(`a cell whose output nobody read wrote ${Math.round(seen / MiB)} MiB, which are in Paddock's memory`)
    if (read < all) return broken(`only ${read} of ${all} bytes arrived once they were read (${ending.kind}), so the probe is inconclusive`)
    return held(
      `a cell whose output nobody read stopped after ${Math.round(seen / 1024)} KiB; once read, all of its ${all / MiB} MiB arrived`,
    )
  },
}
