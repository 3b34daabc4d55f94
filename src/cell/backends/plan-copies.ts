import { chmodSync, lstatSync, mkdirSync, readlinkSync, type Stats, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { entriesOf } from '../../files/entries-of.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { readRegularBytes } from '../../files/read-regular.ts'
import type { FsEntry } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'

export type CopyEntry = Extract<FsEntry, { kind: 'copy' }>

/** The copies of a cell on the host, by the entries of its plan. */
export type Copies = ReadonlyMap<CopyEntry, string>

const mostFileBytes = 16 * 1024 ** 2
/** A file of the run directory that is newer than what the copies contain at the start. */
const marker = 'copies/made'
/** Maximum number of directories that are searched in a copy, and of changed files before a search ends. */
const mostSearched = 500

/** Makes the copies for the `copy` entries of a plan, in the cell's run directory. Links on the way to a directory are not followed. */
export function makeCopies(plan: CellPlan, runDirectory: string): Copies {
  const copies = new Map<CopyEntry, string>()
  for (const entry of plan.filesystem) {
    if (entry.kind !== 'copy') continue
    const copy = copyAt(runDirectory, copies.size)
    mkdirSync(copy, { recursive: true, mode: 0o700 })
    if (lstatSync(entry.source, { throwIfNoEntry: false })?.isDirectory() === true) copyEntries(entry.source, copy)
    chmodSync(copy, 0o755)
    copies.set(entry, copy)
  }
  if (copies.size > 0) writeFileSync(path.join(runDirectory, marker), '')
  return copies
}

function copyAt(runDirectory: string, index: number): string {
  return path.join(runDirectory, 'copies', String(index))
}

/**
 * Returns the paths in the cell of the files that it made, changed or removed in its copies, if they differ from those of the host. To be
 * called when all of its processes have ended.
 */
export function changedInCopies({ filesystem }: Pick<CellPlan, 'filesystem'>, runDirectory: string): readonly string[] {
  const since = statOf(path.join(runDirectory, marker))?.ctimeMs ?? 0
  return filesystem
    .filter((each) => each.kind === 'copy')
    .flatMap(({ source, target }, index) => {
      const copy = copyAt(runDirectory, index)
      return changedFiles(copy, source, since).map((each) => path.join(target, each))
    })
}

/** Returns paths relative to the two directories. */
function changedFiles(copy: string, original: string, since: number): readonly string[] {
  const changed: string[] = []
  const queue = ['']
  for (const [at, directory] of queue.entries()) {
    if (at >= mostSearched) break
    const names = [copy, original].flatMap((each) => entriesOf(path.join(each, directory)).map(({ name }) => name))
    for (const file of new Set(names.map((each) => path.join(directory, each)))) {
      const [now, before] = [statOf(path.join(copy, file)), statOf(path.join(original, file))]
      if (changed.length >= mostSearched) return changed
      if ((now ?? before)?.isDirectory()) queue.push(file)
      else if (now === undefined ? (before?.ctimeMs ?? 0) < since : now.ctimeMs > since && !isSame(copy, original, file)) changed.push(file)
    }
  }
  return changed
}

function isSame(copy: string, original: string, file: string): boolean {
  const [one, other] = [statOf(path.join(copy, file)), statOf(path.join(original, file))]
  const isAlike = one !== undefined && other !== undefined && one.size === other.size && ((one.mode ^ other.mode) & 0o170100) === 0
  if (!isAlike) return false
  const contentOf = (directory: string): string | undefined => {
    const at = path.join(directory, file)
    return one.isSymbolicLink() ? readlinkSync(at) : readRegularBytes(at, mostFileBytes)?.toString('latin1')
  }
  return contentOf(copy) === contentOf(original)
}

function ifReadable(file: string, act: (safe: string) => void): void {
  try {
    inDirectory(file, act)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/**
 * Copies links as they are, because they are resolved in the cell. What is neither a file, a directory nor a link is left out, and so is
 * what cannot be read.
 */
function copyEntries(from: string, to: string): void {
  ifReadable(path.join(from, 'any'), (safe) => {
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
