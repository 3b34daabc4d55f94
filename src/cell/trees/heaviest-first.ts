import type { RunLaterRules } from '../plan/protected/run-later.ts'
import type { ChangeSummary } from '../report.ts'

type Later = ChangeSummary['runsLater'][number]

/** A path that runs later, with its weight. Users should look at the lowest weights first. */
export interface Weighed extends Later {
  readonly weight: number
}

/** Maximum number of rows in each list of a report, except the plain lists of changed files. */
export const mostLater = 100_000

/** Returns the note with the most important weight, because it reports that a cell gained another user's rights or changed packages. */
export function weighedNote(note: Later): Weighed {
  return { ...note, weight: 0 }
}

/**
 * Returns the changed files that run later. Files that existed before come first, because a cell cannot add to them. Then come files that
 * are obeyed without being asked, files that run on demand, and scripts.
 */
export function weighed(files: readonly string[], existedBefore: boolean, { namedAt }: RunLaterRules): readonly Weighed[] {
  return files.flatMap((file): Weighed[] => {
    const named = namedAt(file)
    if (named === null) return []
    const weight = named.when === 'script' ? 4 : existedBefore ? 1 : named.when === 'unasked' ? 2 : 3
    return [{ path: file, why: named.why, weight }]
  })
}

/** Returns at most `most` of the rows, the most important first. Within the same weight, those near the root come first. */
export function heaviestFirst(all: readonly Weighed[], most: number): readonly Later[] {
  return all
    .map((each) => ({ ...each, depth: each.path.split('/').length }))
    .sort((a, b) => a.weight - b.weight || a.depth - b.depth || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path, why }) => ({ path, why }))
}
