import { closeSync, existsSync, lchownSync, lstatSync, mkdirSync, openSync, type Stats, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'
import { inDirectories } from '../../files/in-directory.ts'
import { inertEntries } from '../plan/filesystem.ts'
import type { CellPlan } from '../plan/plan.ts'
import { markInert } from '../plan/protected/inert-mark.ts'

/** Returns the paths that need an inert entry as the mount point of a plan's read-only mount. */
export function inertPathsOf(plan: CellPlan): readonly string[] {
  return inertEntries(plan.filesystem).map((each) => each.path)
}

/**
 * Creates the missing entries (another cell of the same project may already have created some). A mount needs an existing path, and
 * not every kernel supports unprivileged overlays.
 */
export function makeInertEntries(plan: CellPlan): void {
  const inertPaths = new Map(inertEntries(plan.filesystem).map((each) => [each.path, each]))
  const made: string[] = []
  const asRoot = process.getuid?.() === 0
  const owners = new Map<string, Stats>()
  inDirectories([...inertPaths.keys()], (safe, file, directory) => {
    const entry = inertPaths.get(file)
    if (entry === undefined) return
    try {
      if (entry.type === 'directory') mkdirSync(safe)
      else makeFile(safe, entry.content)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EEXIST') return
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') throw notWritable(file, code, error)
      throw error
    }
    made.push(file)
    if (!asRoot) return
    const owner = owners.get(directory) ?? lstatSync(`${path.dirname(safe)}/.`)
    owners.set(directory, owner)
    lchownSync(safe, owner.uid, owner.gid)
  })
  // Done last, because creating an entry in a directory changes the directory's time.
  inDirectories(made, markInert)
}

/**
 * Creates a file at a free path. If the content cannot be written, removes the file, because without it the file is not recognisable as an
 * inert entry.
 */
function makeFile(safe: string, content: string): void {
  const descriptor = openSync(safe, 'wx', 0o644)
  try {
    writeFileSync(descriptor, content)
  } catch (error) {
    unlinkSync(safe)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function notWritable(file: string, code: string, cause: unknown): PaddockError {
  const place = `${path.dirname(file)} cannot be written to (${code})`
  return new PaddockError('CELL_FAILED', `${place}, so the cell cannot protect ${path.basename(file)} in it.`, {
    hint: 'Make it writable, or give the cell a copy: --copy',
    cause,
  })
}

/**
 * Throws if an inert entry is missing just before the agent starts. A cell of the same project that ended at this moment may have removed
 * it, and the mount with it.
 */
export function assertInertEntries(plan: CellPlan): void {
  for (const each of inertPathsOf(plan)) {
    if (!existsSync(each)) {
      throw new PaddockError('CELL_FAILED', `${each} was removed while the cell was being built.`, {
        hint: 'Run it again: another cell of this project ended at the same moment',
      })
    }
  }
}
