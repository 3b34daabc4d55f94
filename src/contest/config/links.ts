import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import type { Layout } from '../state/layout.ts'

/** Returns true if `file` ends below the contest directory after all links are followed, or if nothing is there. */
export async function staysInside(root: string, file: string): Promise<boolean> {
  const end = await realpath(file).catch(() => null)
  return end === null || end.startsWith((await realpath(root)) + path.sep)
}

/** What agents write, below the contest directory: its links are theirs, and nothing follows them. A name proves nothing: a participant may have it. */
const writtenByAgents = [
  /^rounds\/\d+\/[^/]+\/attempts\/\d+\/out$/,
  // Seals of version 1.
  /^rounds\/\d+\/sealed\/[^/]+\/out$/,
]

/**
 * Throws BAD_INPUT if what Paddock itself keeps in a contest directory is, or is behind, a symbolic link, or a FIFO and the like. Paddock makes none there, but a
 * contest that was cloned can hold one, and Paddock would write to where it leads, or let a cell write there.
 */
export async function refuseLinkedRecords(layout: Layout): Promise<void> {
  const own = new Set([layout.status, layout.events, layout.rounds, layout.judgings, layout.consultations, layout.report])
  const open = [layout.root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const each of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const at = path.join(next, each.name)
      if (next === layout.root && !own.has(at)) continue
      if (!each.isFile() && !each.isDirectory()) {
        const what = each.isSymbolicLink() ? 'a symbolic link' : 'neither a file nor a directory'
        throw new PaddockError('BAD_INPUT', `${at} is ${what}; Paddock keeps only files of its own there.`, {
          hint: `Remove it: rm ${shellWord(at)}`,
        })
      }
      if (each.isDirectory() && !isWrittenByAgents(path.relative(layout.root, at))) open.push(at)
    }
  }
}

function isWrittenByAgents(below: string): boolean {
  return writtenByAgents.some((each) => each.test(below))
}
