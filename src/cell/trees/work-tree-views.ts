import { createHash } from 'node:crypto'
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import path from 'node:path'
import { inDirectories, inDirectory } from '../../files/in-directory.ts'
import { asideOf, keepsLinks, type WorkTreesView } from '../plan/work-trees-view.ts'

/** Creates the views of linked work trees and submodules for a cell. `spares`: the directory of the links of earlier cells. */
export function makeViews(views: readonly WorkTreesView[], spares: string): void {
  for (const each of views) {
    const { view, own, others } = each
    const aside = asideOf(each)
    const { uid, gid } = statSync(path.dirname(view))
    const make = (safe: string): void => {
      mkdirSync(safe, { mode: 0o755 })
      if (process.getuid?.() === 0) chownSync(safe, uid, gid)
    }
    const kept = keepsLinks(each) ? takeSpare(each, spares, make) : null
    if (kept === null) inDirectory(view, make)
    inDirectories(
      own.map((name) => path.join(view, name)),
      make,
    )
    inDirectories(
      others.filter((name) => kept?.has(name) !== true).map((name) => path.join(view, name)),
      (safe, file) => symlinkSync(linkTo(aside, path.basename(file)), safe),
    )
  }
}

const linkTo = (aside: string, name: string): string => `../${path.basename(aside)}/${name}`

/** Returns the path at which the links of a repository are kept. */
const spareOf = (spares: string, directory: string): string =>
  path.join(spares, createHash('sha256').update(directory).digest('hex').slice(0, 16))

/** Makes the links of an earlier cell the view, as far as they are right, and returns their names. Returns null if there are none. */
function takeSpare(each: WorkTreesView, spares: string, make: (safe: string) => void): ReadonlySet<string> | null {
  const aside = asideOf(each)
  inDirectory(aside, (safe) => {
    const stat = lstatSync(safe, { throwIfNoEntry: false })
    if (stat?.isDirectory() === false) unlinkSync(safe)
    if (stat?.isDirectory() !== true) make(safe)
  })
  const spare = spareOf(spares, each.directory)
  const found = namesIn(spare)
  // A process that had it open wrote to it.
  if (found.names.length > found.links.size) rmSync(spare, { recursive: true, force: true })
  try {
    inDirectory(each.view, (safe) => renameSync(spare, safe))
  } catch {
    return null
  }
  const known = new Set(each.others)
  const { names, links } = namesIn(each.view)
  const kept = new Set(names)
  inDirectories(
    names.map((name) => path.join(each.view, name)),
    (safe, file) => {
      const name = path.basename(file)
      // An earlier cell could write to it.
      if (known.has(name) && links.has(name) && readlinkSync(safe) === linkTo(aside, name)) return
      unlinkSync(safe)
      kept.delete(name)
    },
  )
  return kept
}

/**
 * Moves the entries that a cell created in its views into the repositories, and removes the views, or keeps their links in `spares` if
 * that is not null. `remember` is called with the paths of these entries before they are moved, because they must be examined even if
 * Paddock is killed in between; null if the cell never ran, so that it created none. An entry whose name the repository has used since
 * the start stays in the view. Never throws because of what a cell left there.
 */
export function settleViews(
  views: readonly WorkTreesView[],
  spares: string | null,
  remember: ((adopted: readonly string[]) => void) | null,
): void {
  const inViews = views.map((view) => ({ ...view, ...namesIn(view.view) }))
  const adopted = inViews.flatMap(({ directory, own, others, names }) =>
    remember === null
      ? []
      : names.filter((each) => !own.includes(each) && !others.includes(each)).map((each) => path.join(directory, each)),
  )
  if (adopted.length > 0) remember?.(adopted)
  for (const { directory, view, own, names, ...each } of inViews) {
    const files = names.map((name) => path.join(view, name))
    const isLink = (file: string): boolean => each.links.has(path.basename(file))
    const settle = (safe: string, file: string): void => {
      const target = path.join(directory, path.basename(file))
      if (own.includes(path.basename(file))) rmdirSync(safe)
      else if (adopted.includes(target)) inDirectory(target, (to) => moveNew(safe, to))
    }
    inDirectories(
      files.filter((file) => !isLink(file)),
      settle,
      leave,
    )
    if (keepsLinks({ directory, view, own, ...each }) && spares !== null && isSpare(view, spareOf(spares, directory))) continue
    inDirectories(files.filter(isLink), (safe) => unlinkSync(safe), leave)
    inDirectories([view], (safe) => rmdirSync(safe), leave)
  }
}

/** Returns true if the view was moved to its place among the spare ones. There is none if it contains anything but links. */
function isSpare(view: string, spare: string): boolean {
  const { names, links } = namesIn(view)
  if (names.length === 0 || names.length > links.size) return false
  try {
    mkdirSync(path.dirname(spare), { recursive: true, mode: 0o700 })
    inDirectory(view, (safe) => renameSync(safe, spare))
    return true
  } catch {
    // Another cell has kept its links, or the repository is on another file system.
    return false
  }
}

function moveNew(from: string, to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined) renameSync(from, to)
}

function namesIn(view: string): { readonly names: readonly string[]; readonly links: ReadonlySet<string> } {
  try {
    const entries = inDirectory(path.join(view, 'any'), (safe) => readdirSync(path.dirname(safe), { withFileTypes: true }))
    return {
      names: entries.map((each) => each.name),
      links: new Set(entries.filter((each) => each.isSymbolicLink()).map((each) => each.name)),
    }
  } catch {
    return { names: [], links: new Set() }
  }
}

function leave(): void {
  // What cannot be moved stays where it is.
}
