import { randomBytes } from 'node:crypto'
import path from 'node:path'

/**
 * A repository's directory of linked work trees (`worktrees`, gitrepository-layout(5)) as a cell sees it. In the cell, `view` is mounted
 * over `directory`, and `directory` read-only beside it (`asideOf`). The view has a link to each entry of another work tree, so git finds
 * them where it expects them. Two mounts are enough for any number of work trees, and new entries are created in the view.
 */
export interface WorkTreesView {
  readonly directory: string
  /** A directory beside it that exists only for one cell. */
  readonly view: string
  /** Names of the entries whose work tree is in the project. The cell may write to them. */
  readonly own: readonly string[]
  /** Names of the other entries. */
  readonly others: readonly string[]
}

/** Returns a new path for the view of a directory of linked work trees or submodules. */
export function newView(directory: string): string {
  return `${directory}.${randomBytes(4).toString('hex')}`
}

/** Returns true for the name of such a path. */
export function isViewName(name: string): boolean {
  return /^(?:worktrees|modules)\.[0-9a-f]{8}$/.test(name)
}

/** From this number on, the links of a view are kept for the next cell. */
const manyLinks = 50

/**
 * Returns true if the links of a view are kept. To create a link, ext4 searches all inodes that were freed in the last minutes: 600 links
 * took 200 ms after another cell had ended, and take 3 ms if they are kept.
 */
export function keepsLinks({ others }: WorkTreesView): boolean {
  return others.length >= manyLinks
}

/** Returns the path in the cell at which `directory` is mounted read-only. The links that are kept lead there, so it is always the same for them. */
export function asideOf(view: WorkTreesView): string {
  return keepsLinks(view) ? `${view.directory}.links` : view.view
}

/** Returns the git directories of other work trees, which the cell can read but not change. */
export function neighboursIn(views: readonly WorkTreesView[]): ReadonlySet<string> {
  return new Set(views.flatMap(({ directory, others }) => others.map((each) => path.join(directory, each))))
}

/** Returns a view in which the entries that have mounts of their own count as the project's. */
export function withOwn(view: WorkTreesView, isMounted: (entry: string) => boolean): WorkTreesView {
  const more = view.others.filter((each) => isMounted(path.join(view.directory, each)))
  return { ...view, own: [...view.own, ...more], others: view.others.filter((each) => !more.includes(each)) }
}
