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
    'When another program takes a protected path away from a running cell, the cell is killed, and whatever it put there is quarantined. A second Paddock with records of its own starts no cell on the inert entries of the first.',
  mechanism:
    'Every second the host process compares each protected path with the entry that was there at the start, by inode and time of birth, and does so again when the cell has ended. Inert entries have a modification time that tells them from files of the user. One of them is the lock that git needs to replace .git/config.',
  kind: 'policy',
  why: 'The kernel drops a mount when its mount point is removed in another mount namespace (unlink(2), rename(2)), so only a comparison notices.',
  fails: [
    'For up to a second the cell can write there, and a program of yours could obey it.',
    'A program that replaces .git/config without taking its lock, which git and most others take.',
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
              // Still protected.
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
    if (report.ending.kind !== 'unprotected') return broken(`the cell went on without its protections and ended by ${report.ending.kind}`)
    const left = taken.filter((each) => existsSync(path.join(project, each)))
    if (left.length > 0) return broken(`what the cell put in their place is still there: ${left.join(', ')}`)
    const aside = taken.filter((each) => existsSync(path.join(project, `${each}.quarantined`)))
    if (code === null) return unenforceable('no second Paddock could be started here')
    if (code !== 125 || !/belongs to a cell of another Paddock/.test(said))
      return broken(`a second Paddock started a cell there: exit ${code}, ${said.trim().slice(0, 200)}`)
    return held(
      `${taken.join(' and ')} were removed under a running cell: it was killed, ${aside.length} of them were quarantined, and a second Paddock had refused to start there`,
    )
  },
}
