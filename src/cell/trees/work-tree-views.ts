import { chownSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { inDirectories, inDirectory } from '../../files/in-directory.ts'
import type { WorkTreesView } from '../plan/work-trees-view.ts'

/** Creates the views of linked work trees and submodules for a cell. */
export function makeViews(views: readonly WorkTreesView[]): void {
  for (const { view, own, others } of views) {
    const { uid, gid } = statSync(path.dirname(view))
    const make = (safe: string): void => {
      mkdirSync(safe, { mode: 0o755 })
      if (process.getuid?.() === 0) chownSync(safe, uid, gid)
    }
    inDirectory(view, make)
    inDirectories(
      own.map((each) => path.join(view, each)),
      make,
    )
    inDirectories(
      others.map((each) => path.join(view, each)),
      (safe, file) => symlinkSync(`../${path.basename(view)}/${path.basename(file)}`, safe),
    )
  }
}

/**
 * Moves the entries that a cell created in its views into the repositories, and removes the views. `remember` is called with the paths of
 * these entries before they are moved, because they must be examined even if Paddock is killed in between. An entry whose name the
 * repository has used since the start stays in the view. Never throws because of what a cell left there.
 */
export function settleViews(views: readonly WorkTreesView[], remember: (adopted: readonly string[]) => void): void {
  const inViews = views.map((view) => ({ ...view, ...namesIn(view.view) }))
  const adopted = inViews.flatMap(({ directory, own, others, names }) =>
    names.filter((each) => !own.includes(each) && !others.includes(each)).map((each) => path.join(directory, each)),
  )
  if (adopted.length > 0) remember(adopted)
  for (const { directory, view, own, names, links } of inViews) {
    const settle = (safe: string, file: string): void => {
      const target = path.join(directory, path.basename(file))
      if (links.has(path.basename(file))) unlinkSync(safe)
      else if (own.includes(path.basename(file))) rmdirSync(safe)
      else if (adopted.includes(target)) inDirectory(target, (to) => moveNew(safe, to))
    }
    inDirectories(
      names.map((each) => path.join(view, each)),
      settle,
      leave,
    )
    inDirectories([view], (safe) => rmdirSync(safe), leave)
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
