import type { RunLaterRules } from '../plan/protected/run-later.ts'
import type { ChangeSummary } from '../report.ts'

type Later = ChangeSummary['runsLater'][number]

/** What runs later, with its weight: the lower, the sooner a user should look at it. */
export interface Weighed extends Later {
  readonly weight: number
}

/** What is kept of each list in a report, apart from the plain lists of changed files. */
export const mostLater = 100_000

/** A cell took another's rights, or changed packages. */
export function weighedNote(note: Later): Weighed {
  return { ...note, weight: 0 }
}

/**
 * Returns the changed files that run later. First those that existed before: a cell cannot flood these. Then what is obeyed without being
 * asked, what is run on demand, and scripts.
 */
export function weighed(files: readonly string[], existedBefore: boolean, { namedAt }: RunLaterRules): readonly Weighed[] {
  return files.flatMap((file): Weighed[] => {
    const named = namedAt(file)
    if (named === null) return []
    const weight = named.when === 'script' ? 4 : existedBefore ? 1 : named.when === 'unasked' ? 2 : 3
    return [{ path: file, why: named.why, weight }]
  })
}

/** Returns the heaviest, at most `most`; of the same weight those near the root first. */
export function heaviestFirst(all: readonly Weighed[], most: number): readonly Later[] {
  return all
    .map((each) => ({ ...each, depth: each.path.split('/').length }))
    .sort((a, b) => a.weight - b.weight || a.depth - b.depth || (a.path < b.path ? -1 : 1))
    .slice(0, most)
    .map(({ path, why }) => ({ path, why }))
}
