import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../../files/read-regular.ts'
import { contains } from '../plan/filesystem.ts'
import { isMoreThanAdditions } from '../trees/git-exclude.ts'
import type { UnlessOthers } from '../trees/quarantine-files.ts'
import type { CellRecord, CellRegistry } from './cell-registry.ts'

const mostBytes = 1024 ** 2

/**
 * Returns a check for a search through a tree of this cell. It skips inert entries that other cells use, according to the records at that
 * moment. They are not mounts in this cell if it created the directory itself, so an entry that is not inert any more is not skipped.
 */
export function unlessOthers(registry: CellRegistry, id: string): UnlessOthers {
  return (file, act) =>
    registry.alone(() => {
      const others = registry.all().filter((each) => each.id !== id && each.inertPaths.includes(file))
      if (others.length === 0 || !isInert(file, others)) act()
    })
}

/**
 * Returns true for a free path and for an entry with the content of an inert one in one of these records: nothing but inert entries, a
 * recorded text, or lines that were added to a list of ignored files. The mark of inert entries is not enough, because a cell can set it.
 */
function isInert(file: string, records: readonly CellRecord[]): boolean {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return true
    if (stat.isDirectory())
      return readdirSync(file).every((name) => {
        const inside = path.join(file, name)
        return records.some((each) => each.inertPaths.includes(inside)) && isInert(inside, records)
      })
    if (!stat.isFile()) return false
    if (records.some((each) => each.excludes?.includes(file) === true)) return !isMoreThanAdditions(file)
    const content = readRegularSync(file, mostBytes)
    return records.some((each) => content === (new Map(each.inert).get(file) ?? ''))
  } catch {
    return false
  }
}

/** Returns a check for the view of linked work trees of a running cell other than this one. That cell's own end settles it. */
export function othersViews(registry: CellRegistry, id: string): (directory: string) => boolean {
  return (directory) => registry.all().some((each) => each.id !== id && each.workTrees?.some(({ view }) => view === directory) === true)
}

/** Returns true if a cell other than this one can open files in a git directory. */
export function othersReach(registry: CellRegistry, id: string, directory: string): boolean {
  return registry
    .all()
    .some(
      (each) =>
        each.id !== id &&
        (each.trees.some((tree) => contains(tree, directory)) || each.workTrees?.some((other) => other.directory === directory) === true),
    )
}

/** Returns the inert entries that cells other than this one use. */
export function othersPaths(registry: CellRegistry, id: string): ReadonlySet<string> {
  return new Set(registry.all().flatMap((each) => (each.id === id ? [] : each.inertPaths)))
}
