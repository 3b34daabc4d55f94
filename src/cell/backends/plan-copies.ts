import { chmodSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { entriesOf } from '../../files/entries-of.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularBytes } from '../../files/read-regular.ts'
import type { FsEntry } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'

export type CopyEntry = Extract<FsEntry, { kind: 'copy' }>

/** The copies of a cell on the host, by the entries of its plan. */
export type Copies = ReadonlyMap<CopyEntry, string>

const mostFileBytes = 16 * 1024 ** 2

/** Makes the copies for the `copy` entries of a plan, in the cell's run directory. Links on the way to a directory are not followed. */
export function makeCopies(plan: CellPlan, runDirectory: string): Copies {
  const copies = new Map<CopyEntry, string>()
  for (const entry of plan.filesystem) {
    if (entry.kind !== 'copy') continue
    const copy = path.join(runDirectory, 'copies', String(copies.size))
    mkdirSync(copy, { recursive: true, mode: 0o700 })
    if (lstatSync(entry.source, { throwIfNoEntry: false })?.isDirectory() === true) copyEntries(entry.source, copy)
    chmodSync(copy, 0o755)
    copies.set(entry, copy)
  }
  return copies
}

/** Copies links as they are, because they are resolved in the cell. What is neither a file, a directory nor a link is left out. */
function copyEntries(from: string, to: string): void {
  inDirectory(path.join(from, 'any'), (safe) => {
    const directory = path.dirname(safe)
    for (const entry of entriesOf(`${directory}/.`)) {
      const [source, copy] = [`${directory}/${entry.name}`, path.join(to, entry.name)]
      if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), copy)
      else if (entry.isDirectory()) {
        mkdirSync(copy, { mode: 0o755 })
        copyEntries(path.join(from, entry.name), copy)
      } else {
        const bytes = entry.isFile() ? readRegularBytes(source, mostFileBytes) : null
        if (bytes === null) continue
        writeFileSync(copy, bytes)
        chmodSync(copy, 0o644 | (lstatSync(source).mode & 0o111))
      }
    }
  })
}
