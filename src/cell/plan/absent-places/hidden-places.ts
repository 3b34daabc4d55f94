import { type Dirent, lstatSync, readdirSync } from 'node:fs'
import { release } from 'node:os'
import path from 'node:path'
import { type Mount, otherPaths } from '../../../system/mounts.ts'
import { isIn, realPathOf, statOf } from '../../../system/paths-to.ts'
import { credentialPlaces, credentialVariables, movedDirectories } from './places-of-credentials.ts'

/** The facts that the search for hidden paths needs. `homes`: homes of the user; in `realHome` also what does not exist yet is hidden. */
export interface HomeFacts {
  readonly realHome: string
  readonly ownDirectories: readonly string[]
  /** Relative to the home. */
  readonly agentDirectories?: readonly string[]
  readonly homes?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Places that do not exist in a cell of L1, and directories that are empty there. No path is inside another one of `hidden`. */
export interface AbsentPlaces {
  readonly hidden: readonly string[]
  readonly empty: readonly string[]
}

/** The most entries of a directory of credentials in which links are looked for, nearest first. */
const mostEntries = 3000

/** Directories of the system, in which a link in the home leads to nothing of the user. */
const ofSystem = ['/usr', '/nix', '/etc']

/** Directories of sandboxed programs, which have links to the user's documents. */
const withLinksHome = ['snap', '.var/app']

/**
 * Returns what a cell of L1 must not see: the places of credentials (with copies next to them, and where variables move them), Paddock's
 * own directories and `alsoHidden`; what links at or in these places lead to; and all of it at the other paths at which a part of the same
 * file system is mounted. Places in the home are hidden before they exist, because a login while the cell runs would appear in it.
 * `used`: paths that the cell needs, such as its project. A link hides no directory around one of them.
 */
export function absentPlaces(
  { realHome, homes = [], ownDirectories, agentDirectories = [], env = {} }: HomeFacts,
  alsoHidden: readonly string[],
  used: readonly string[],
  mounts: readonly Mount[],
): AbsentPlaces {
  const agents = agentDirectories.map((each) => path.join(realHome, each)).filter(canBe)
  const isDirectory = (file: string): boolean => !existsAt(file) || statOf(file)?.isDirectory() === true
  const empty = agents.filter(isDirectory)
  const others = homes.filter((each) => each !== realHome)
  const named = [
    ...credentialPlaces.flatMap((each) => placeInHome(path.join(realHome, each))),
    ...agents.filter((each) => !isDirectory(each)),
    ...[
      ...others.flatMap((home) => [...credentialPlaces, ...agentDirectories].map((each) => path.join(home, each))),
      ...[realHome, ...others].flatMap(copies),
      ...movedPlaces(env),
      ...credentialVariables.flatMap((each) => (env[each] ?? '').split(':')).filter((each) => path.isAbsolute(each)),
      ...ownDirectories,
      ...alsoHidden,
    ].filter(existsAt),
  ]
  const places = new Set(named.flatMap((each) => [path.join(realPathOf(path.dirname(each)), path.basename(each)), realPathOf(each)]))
  const isKept = (file: string): boolean => path.dirname(file) === '/' || [realHome, ...used].some((each) => isIn(file, each))
  const searched = new Set<string>()
  const unsearched = [...ownDirectories, ...alsoHidden, ...withLinksHome.map((each) => path.join(realHome, each))]
  const credentials = named.filter((each) => !unsearched.includes(each)).map(realPathOf)
  for (const waiting = [...credentials, ...empty.map(realPathOf)]; waiting.length > 0; ) {
    const directory = waiting.shift() ?? ''
    if (searched.has(directory) || searched.size > 500) continue
    searched.add(directory)
    for (const target of linksIn(directory)) {
      if (isKept(target) || ofSystem.some((each) => isIn(each, target))) continue
      places.add(target)
      waiting.push(target)
    }
  }
  const shownElsewhere = [...places, ...empty.map(realPathOf)].flatMap((each) => otherPaths(mounts, each))
  const all = [...places, ...shownElsewhere].filter((each) => !isIn(each, realHome) && !empty.includes(each))
  return { hidden: all.filter((each, at) => !all.some((other, n) => (other === each ? n < at : isIn(other, each)))), empty }
}

/** Returns the copies next to well-known files and directories of credentials, and parts of the git configuration. */
function copies(home: string): readonly string[] {
  const places = credentialPlaces.filter((each) => !each.includes('/') && each.startsWith('.'))
  const isCopy = (rest: string): boolean => /^(?:[.~]|[-_](?:old|bak|backup|copy|\d))/.test(rest)
  return entriesOf(home)
    .filter(({ name }) => /^\.gitconfig[-_]/.test(name) || places.some((each) => name.startsWith(each) && isCopy(name.slice(each.length))))
    .map(({ name }) => path.join(home, name))
}

/** Returns the places in directories that variables move. */
function movedPlaces(env: Readonly<Record<string, string>>): readonly string[] {
  return movedDirectories.flatMap(([variable, directory]) => {
    const moved = env[variable] ?? ''
    if (!path.isAbsolute(moved)) return []
    return credentialPlaces.filter((each) => isIn(directory, each)).map((each) => path.join(moved, path.relative(directory, each)))
  })
}

/** Returns what links in a directory lead to outside of it: directories, and files that cannot be run. */
function linksIn(directory: string): readonly string[] {
  const targets: string[] = []
  let left = mostEntries
  for (const waiting = [directory]; waiting.length > 0 && left > 0; ) {
    const at = waiting.shift() ?? ''
    for (const each of entriesOf(at)) {
      if (left-- === 0) break
      const file = path.join(at, each.name)
      if (each.isDirectory()) waiting.push(file)
      if (!each.isSymbolicLink()) continue
      const target = realPathOf(file)
      const stat = statOf(target)
      if (isIn(directory, target) || stat === null) continue
      if (stat.isDirectory() || (stat.isFile() && (stat.mode & 0o111) === 0)) targets.push(target)
    }
  }
  return targets
}

/** Returns the entries of a directory; none if it cannot be read. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

/**
 * Returns what hides a place in the home: itself, or what is above it and does not exist either. A kernel that makes no directories in
 * place of hidden ones leaves such parents to the cell, because programs need them (`~/.cache`).
 */
function placeInHome(file: string): readonly string[] {
  if (!canBe(file)) return []
  let top = file
  while (!existsAt(path.dirname(top))) top = path.dirname(top)
  return top === file || replacesHidden() ? [top] : []
}

/** Returns true if directories can be made in place of hidden ones: tmpfs has attributes of users since Linux 6.6. */
function replacesHidden(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  return major > 6 || (major === 6 && minor >= 6)
}

/** Returns true if a path exists or can be created: what is above it is a directory. */
function canBe(file: string): boolean {
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const stat = statOf(at)
    if (stat !== null) return stat.isDirectory()
    if (existsAt(at) || at === path.dirname(at)) return false
  }
}

function existsAt(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
