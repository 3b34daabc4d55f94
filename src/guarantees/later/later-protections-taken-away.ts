import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdCell } from '../probe/held-cell.ts'

const taken = ['.envrc', '.git/commondir']

export const protectionsTakenAway: Guarantee = {
  id: 'later-protections-taken-away',
  chapter: 'later',
  claim:
    "When another program removes a protected path from a running cell, the cell is killed, and anything that it put there is quarantined. A second Paddock with separate records starts no cell while the first one's inert entries exist.",
  mechanism:
    'Every second, and again when the cell has ended, the host process compares each protected path with the original entry, by inode and birth time. A special modification time tells inert entries from files of the user. One of them is the lock that git needs to replace .git/config.',
  kind: 'policy',
  why: 'The kernel drops a mount when its mount point is removed in another mount namespace (unlink(2), rename(2)), so only a comparison detects this.',
  fails: [
    'For up to a second the cell can write there, and one of your programs could obey the file.',
    'A program replaces .git/config without taking its lock. Git and most other programs take it.',
  ],
  probe: async (bench) => {
    const project = await bench.project({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '[core]\n\trepositoryformatversion = 0\n',
      '.git/objects/info/packs': '',
      '.git/refs/heads/.keep': '',
    })
    const cell = await holdCell(
      bench,
      bench.command(async ({ fs }, given) => {
        process.stdout.write('ready\n')
        for (;;) {
          for (const each of given) {
            try {
              fs.writeFileSync(each, 'bad')
            } catch {
              // This file is still protected.
            }
          }
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }, taken),
      { project, limits: { timeout: 10_000 } },
    )
    const second = bench.startPaddock(['run', '--egress', 'off', '--', 'true'], { root: await bench.directory(), cwd: project })
    const [code, said] =
      second === null || second.stderr === null
        ? [null, '']
        : await Promise.all([once(second, 'exit').then(([each]) => each as number), text(second.stderr)])
    for (const each of taken) rmSync(path.join(project, each))
    const { report } = await cell.end()
    if (report.ending.kind !== 'unprotected') return broken(`the cell continued without its protections and ended by ${report.ending.kind}`)
    const left = taken.filter((each) => existsSync(path.join(project, each)))
    if (left.length > 0) return broken(`files that the cell put in their place are still there: ${left.join(', ')}`)
    const aside = taken.filter((each) => existsSync(path.join(project, `${each}.quarantined`)))
    if (code === null) return unenforceable('a second Paddock could not be started here')
    if (code !== 125 || !/belongs to a cell of another Paddock/.test(said))
      return broken(`a second Paddock started a cell there: exit ${code}, ${said.trim().slice(0, 200)}`)
    return held(
      `${taken.join(' and ')} were removed under a running cell: it was killed, ${aside.length} of them were quarantined, and a second Paddock refused to start there`,
    )
  },
}
