import { lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { entriesOf } from '../../files/entries-of.ts'
import { realOf } from '../../git/git-settings.ts'
import { isIn } from '../../system/paths-to.ts'
import { contains } from './filesystem.ts'
import type { MachineFacts } from './machine-facts.ts'
import { storeAround, type WayOut } from './ways-out.ts'

const mostProjects = 5000

/**
 * Returns the directories with packages of the user's stores to which a project leads. A link in the project is not enough, because an
 * earlier cell may have made it: the store itself must list the project, and no cell could write to it.
 */
export function packageStores(
  project: string,
  ways: readonly WayOut[],
  machine: Pick<MachineFacts, 'user' | 'realHome' | 'ownDirectories' | 'writableTrees'>,
): readonly string[] {
  const stores = ways.map(({ target }) => storeAround(target)).filter((each) => each !== null)
  return [...new Set(stores)].filter((each) => isStoreOf(project, each, machine))
}

/** Returns the sentence about a store that a cell has. */
export function storeNotice(packages: string): string {
  return `node_modules uses the store ${packages}, which the cell can only read: install new packages on your machine`
}

function isStoreOf(
  project: string,
  packages: string,
  { user, realHome, ownDirectories, writableTrees = [] }: Pick<MachineFacts, 'user' | 'realHome' | 'ownDirectories' | 'writableTrees'>,
): boolean {
  const store = path.dirname(packages)
  const parts = [store, packages, path.join(store, 'files'), path.join(store, 'projects')]
  const apart = [...ownDirectories, ...writableTrees, project]
  return (
    parts.every((each) => isOwn(each, user.uid)) &&
    !apart.some((each) => isIn(each, packages) || isIn(packages, each)) &&
    !contains(packages, realHome) &&
    entriesOf(path.join(store, 'files')).every((each) => /^[0-9a-f]{2}$/.test(each.name)) &&
    entriesOf(path.join(store, 'projects'))
      .slice(0, mostProjects)
      .some((each) => each.isSymbolicLink() && leadsTo(path.join(store, 'projects', each.name), project))
  )
}

/** Returns true for a directory, not a link, that only this user can change. */
function isOwn(directory: string, uid: number): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === uid && (stat.mode & 0o022) === 0
}

/** Returns true if a link leads to a project, to a directory in it, or to the workspace around it. */
function leadsTo(link: string, project: string): boolean {
  const listed = realOf(path.resolve(path.dirname(link), readlinkSync(link)))
  return contains(listed, project) || contains(project, listed)
}
