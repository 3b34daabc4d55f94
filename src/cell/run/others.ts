import { lstatSync } from 'node:fs'
import { isMoreThanAdditions } from '../trees/git-exclude.ts'
import type { UnlessOthers } from '../trees/quarantine.ts'
import type { CellRegistry } from './registry.ts'

/**
 * Returns a check for a search through a tree of this cell. It skips entries that other cells use, according to the records at that
 * moment. A list of ignored files that was created for the entries is not a mount in this cell. It and its directory are skipped only if
 * they are unchanged.
 */
export function unlessOthers(registry: CellRegistry, id: string): UnlessOthers {
  return (file, act) =>
    registry.alone(() => {
      if (!othersGhosts(registry, id).has(file) || isTakenOver(registry, file)) act()
    })
}

function isTakenOver(registry: CellRegistry, file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) return true
  return registry.all().some((each) => each.excludes?.includes(file) === true) && isMoreThanAdditions(file)
}

/** Returns the inert entries that cells other than this one use. */
export function othersGhosts(registry: CellRegistry, id: string): ReadonlySet<string> {
  return new Set(registry.all().flatMap((each) => (each.id === id ? [] : each.ghosts)))
}
