import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../base/errors.ts'
import { shellWord } from '../../base/shell-word.ts'
import type { Layout } from './contest-layout.ts'

/** Returns true if `file` is inside the contest directory after all links are followed, or if it does not exist. */
export async function staysInside(root: string, file: string): Promise<boolean> {
  const end = await realpath(file).catch(() => null)
  return end === null || end.startsWith((await realpath(root)) + path.sep)
}

/**
 * Patterns for paths in the contest directory that agents write to. Links in them are never followed. The whole path is matched, because a
 * participant may be named `out`.
 */
const writtenByAgents = [
  /^rounds\/\d+\/[^/]+\/attempts\/\d+\/out$/,
  // The directories of seals of version 1.
  /^rounds\/\d+\/sealed\/[^/]+\/out$/,
]

/**
 * Throws BAD_INPUT if one of Paddock's own records in a contest directory is a symbolic link, a FIFO or the like, or is behind one. Paddock
 * never creates one there, but a cloned contest can contain one, and Paddock would write to its target or let a cell write there.
 */
export async function refuseLinkedRecords(layout: Layout): Promise<void> {
  for await (const _ of ownRecords(layout));
}

/** Yields the paths of Paddock's own records in a contest directory. Throws like `refuseLinkedRecords`. */
export async function* ownRecords(layout: Layout): AsyncGenerator<string> {
  const own = new Set([layout.status, layout.events, layout.rounds, layout.judgings, layout.consultations, layout.report])
  const open = [layout.root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const each of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const at = path.join(next, each.name)
      if (next === layout.root && !own.has(at)) continue
      if (!each.isFile() && !each.isDirectory()) {
        const what = each.isSymbolicLink() ? 'a symbolic link' : 'neither a file nor a directory'
        throw new PaddockError('BAD_INPUT', `${at} is ${what}; Paddock keeps only its own files there.`, {
          hint: `Remove it: rm ${shellWord(at)}`,
        })
      }
      yield at
      if (each.isDirectory() && !isWrittenByAgents(path.relative(layout.root, at))) open.push(at)
    }
  }
}

function isWrittenByAgents(below: string): boolean {
  return writtenByAgents.some((each) => each.test(below))
}
