import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../../files/in-directory.ts'
import { kindBelow } from '../../files/kind-below.ts'
import type { Entry } from '../manifest.ts'
import { FileTaker } from '../taking/file-taker.ts'
import type { Standing } from './apply-journal.ts'

const taker = new FileTaker()

/** The current state of a path in the project. `blocked`: the path is not a file or link, or one of its parents is a link. */
export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'entry'; readonly entry: Entry; readonly standing: Standing }
  | { readonly kind: 'directory' }
  | { readonly kind: 'blocked' }

/** Inspects a path without following a link in any part of the path below the project. */
export function findInProject(project: string, file: string): Found {
  const absolute = path.join(project, file)
  try {
    const kind = kindBelow(project, absolute)
    if (kind === null) return { kind: 'nothing' }
    if (kind === 'directory') return { kind: 'directory' }
    const parent = path.dirname(absolute)
    if (kind === 'link' && parent !== project && kindBelow(project, parent) === 'link') return { kind: 'blocked' }
    return inDirectory(absolute, (safe) => (kind === 'link' ? linkAt(safe, file) : fileAt(safe, file)))
  } catch {
    return { kind: 'blocked' }
  }
}

function linkAt(safe: string, file: string): Found {
  const stat = lstatSync(safe)
  const target = readlinkSync(safe, { encoding: 'buffer' }).toString('utf8')
  return { kind: 'entry', entry: { path: file, target }, standing: standingOf(stat) }
}

function fileAt(safe: string, file: string): Found {
  const descriptor = openSync(safe, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return { kind: 'blocked' }
    return { kind: 'entry', entry: { path: file, mode: stat.mode & 0o777, ...taker.hash(descriptor) }, standing: standingOf(stat) }
  } finally {
    closeSync(descriptor)
  }
}

export function standingOf(stat: { ino: number; size: number; mtimeMs: number; mode: number }): Standing {
  return { ino: stat.ino, size: stat.size, mtimeMs: stat.mtimeMs, mode: stat.mode }
}

/** Returns true if the file is still the same, by its inode, size, modification time and mode. `safe`: see `inDirectory`. */
export function stillStands(safe: string, standing: Standing | null): boolean {
  const stat = lstatSync(safe, { throwIfNoEntry: false })
  if (stat === undefined || standing === null) return stat === undefined && standing === null
  const now = standingOf(stat)
  return now.ino === standing.ino && now.size === standing.size && now.mtimeMs === standing.mtimeMs && now.mode === standing.mode
}
