import path from 'node:path'

/**
 * A repository's directory of linked work trees (`worktrees`, gitrepository-layout(5)) as a cell sees it. In the cell, `view` is mounted
 * over `directory`, and `directory` read-only over `view`. The view has a link to each entry of another work tree, so git finds them
 * where it expects them. Two mounts are enough for any number of work trees, and new entries are created in the view.
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

/** Returns the git directories of other work trees, which the cell can read but not change. */
export function neighboursIn(views: readonly WorkTreesView[]): ReadonlySet<string> {
  return new Set(views.flatMap(({ directory, others }) => others.map((each) => path.join(directory, each))))
}

/** Returns a view in which the entries that have mounts of their own count as the project's. */
export function withOwn(view: WorkTreesView, isMounted: (entry: string) => boolean): WorkTreesView {
  const more = view.others.filter((each) => isMounted(path.join(view.directory, each)))
  return { ...view, own: [...view.own, ...more], others: view.others.filter((each) => !more.includes(each)) }
}
