import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { broken, type Guarantee, held, unenforceable } from '../guarantee.ts'
import { holdCell } from '../probe/held-cell.ts'

const taken = ['.envrc', '.git/commondir']
/** How long the cell runs at most, in milliseconds. On a busy machine, the second Paddock takes long. */
const mostMs = 180_000

export const protectionsTakenAway: Guarantee = {
  id: 'later-protections-taken-away',
  chapter: 'later',
  claim:
    "When another program removes or replaces a protected path of a running cell, the path is read-only again as soon as something exists there, and anything that the cell put there is quarantined. A second Paddock with separate records starts no cell while the first one's inert entries exist.",
  mechanism:
    'A program in the mount namespace of the cell waits for changes of its mounts and renews those that are missing. If it cannot, the cell is killed. At the end, each protected path is compared with the original entry, by inode and birth time, and with the versions in the commits of the user. A special modification time tells inert entries from files of the user.',
  kind: 'policy',
  why: 'The kernel drops a mount when its mount point is removed in another mount namespace (unlink(2), rename(2)), and tells about it only afterwards.',
  fails: [
    'Until the mount is renewed, which takes about a millisecond, the cell can write there, and one of your programs could obey the file until the cell ends. A changed .git/config ends the cell at once.',
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
      bench.command(async ({ fs, attempt }, given) => {
        process.stdout.write('ready\n')
        for (let round = 0; !fs.existsSync('stop'); round++) {
          const outcomes = given.map((each) => attempt(() => fs.writeFileSync(each, 'bad')))
          fs.writeFileSync('seen.json', JSON.stringify({ round, outcomes }))
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }, taken),
      { project, limits: { timeout: mostMs }, strictNames: true },
    )
    const second = bench.startPaddock(['run', '--egress', 'off', '--', 'true'], { root: await bench.directory(), cwd: project })
    const [code, said] =
      second === null || second.stderr === null
        ? [null, '']
        : await Promise.all([once(second, 'exit').then(([each]) => each as number), text(second.stderr)])
    for (const each of taken) rmSync(path.join(project, each))
    const isReadOnly = await becomesReadOnly(project)
    await writeFile(path.join(project, 'stop'), '')
    const { report } = await cell.end()
    if (!isReadOnly && report.ending.kind !== 'unprotected') return broken('the cell continued without its protections')
    const left = taken.filter((each) => existsSync(path.join(project, each)))
    if (left.length > 0) return broken(`files that the cell put in their place are still there: ${left.join(', ')}`)
    const aside = taken.filter((each) => existsSync(path.join(project, `${each}.quarantined`)))
    if (code === null) return unenforceable('a second Paddock could not be started here')
    if (code !== 125 || !/belongs to a cell of another Paddock/.test(said))
      return broken(`a second Paddock started a cell there: exit ${code}, ${said.trim().slice(0, 200)}`)
    return held(
      `${taken.join(' and ')} were removed under a running cell: ${isReadOnly ? 'they were read-only again' : 'it was killed'}, ${aside.length} of them were quarantined, and a second Paddock refused to start there`,
    )
  },
}

interface Seen {
  readonly round: number
  readonly outcomes: readonly string[]
}

/** Resolves to true when the cell has failed to write to every path after it created them, and to false after some seconds. */
async function becomesReadOnly(project: string): Promise<boolean> {
  const read = (): Promise<Seen | null> => readFile(path.join(project, 'seen.json'), 'utf8').then(parsed, () => null)
  let made = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 300; tries++) {
    const seen = await read()
    if (seen !== null && made === Number.POSITIVE_INFINITY && taken.every((each) => existsSync(path.join(project, each)))) made = seen.round
    // The round in which they were made, and the one before it, say nothing.
    if (seen !== null && seen.round > made + 2 && seen.outcomes.every((each) => each === 'EROFS')) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

/** Returns what a file says that the cell may be writing at this moment; null if it is not complete. */
function parsed(content: string): Seen | null {
  try {
    return JSON.parse(content) as Seen
  } catch {
    return null
  }
}
