import path from 'node:path'
import { contains } from '../../../cell/plan/filesystem.ts'
import { whyNoPlace } from '../../config/contest-workspace.ts'
import type { Step, Written } from './dockerfile.ts'

/** Directories of which each subdirectory can belong to another task or user. A file directly in one of them needs the whole directory. */
const wide = ['/home', '/opt', '/srv', '/mnt', '/media', '/root', '/tmp', '/var/tmp', '/var/lib', '/var/cache', '/var']
/** Directories that Harbor makes for the tests. */
const ofTests = ['/logs', '/tests']
/** Directories that each image has, so that making them has no effect. */
const ofImages = new Set(['/', '/srv', '/mnt', '/media', '/root', '/tmp', '/home', '/opt', '/var', '/var/tmp', '/var/lib', '/var/cache'])

/** The directories of a task, or the reasons why the task cannot have them. */
export type Places = { readonly directories: readonly string[] } | { readonly reasons: readonly string[] }

export interface PlacesOfTask {
  /** Null: not known. */
  readonly workdir: string | null
  /** The paths that the Dockerfile writes. */
  readonly writes: readonly Written[]
  /** Other paths that belong to the submission. */
  readonly named: readonly Written[]
}

/**
 * Returns the directories that contain the paths of a task: the first name of each path, or the first two in a directory such as /home. None
 * of the directories is inside another. `home`: the home directory in cells. `exists`: whether this machine has a directory.
 */
export function placesOf({ workdir, writes, named }: PlacesOfTask, home: string, exists: (directory: string) => boolean): Places {
  const found = new Set<string>()
  /** One reason for each place. */
  const reasons = new Map<string, string>()
  const add = (file: string, directory: string, verb: string): void => {
    if (isOfTests(directory)) {
      if (!contains('/logs', directory)) reasons.set('/tests', `it ${verb} ${file}, and its tests are in /tests`)
      return
    }
    const at = placeOf(directory, home)
    const why = whyNoPlace(at)
    const because = (text: string): void => void (reasons.has(at) || reasons.set(at, `it ${verb} ${file}, ${text}`))
    if (directory === '/') because('which is in the root directory')
    else if (why !== null) because(whyNoPlace(file) === null ? `and ${directory} ${why}` : `which ${whyNoPlace(file)}`)
    else if (contains(at, home)) because(`and ${at} ${at === home ? 'is' : 'contains'} the home directory of cells here`)
    else found.add(at)
  }
  if (workdir === '/') reasons.set('/', 'its working directory is /')
  else if (workdir !== null) add(workdir, workdir, 'works in')
  for (const { path: file, kind } of writes) {
    if (kind === 'changed' || isMadeAlready(file, kind, exists)) continue
    add(file, kind === 'file' ? path.posix.dirname(file) : file, 'writes')
  }
  for (const { path: file, kind } of named) add(file, kind === 'file' ? path.posix.dirname(file) : file, 'needs')
  if (reasons.size > 0) return { reasons: [...reasons.values()] }
  const all = [...found].toSorted()
  return { directories: all.filter((each) => !all.some((other) => other !== each && contains(other, each))) }
}

/** Returns whether a directory is made that exists anyway: in each image, for tests, or on this machine. */
function isMadeAlready(file: string, kind: Written['kind'], exists: (directory: string) => boolean): boolean {
  if (kind !== 'made') return false
  return ofImages.has(file) || ofTests.includes(file) || (whyNoPlace(file) !== null && exists(file))
}

/** Returns the part of a path that is a place of its own. */
function placeOf(directory: string, home: string): string {
  const parts = directory.split('/').filter((part) => part !== '')
  let depth = 1
  while (depth < parts.length && [...wide, home].some((each) => contains(`/${parts.slice(0, depth).join('/')}`, each))) depth += 1
  return `/${parts.slice(0, depth).join('/')}`
}

/** Returns whether Harbor makes a directory for the tests. */
export function isOfTests(file: string): boolean {
  return ofTests.some((each) => contains(each, file))
}

export function isWide(directory: string): boolean {
  return wide.includes(directory)
}

/** Returns the directory such as /home that contains a path; null: there is none. */
export function wideAbove(file: string): string | null {
  return wide.find((each) => each !== file && contains(each, file)) ?? null
}

/**
 * Returns whether a step has an effect in these directories: it writes to one of them, and not only makes directories that each cell with the
 * workspace has.
 */
export function hasEffect(
  { directories, cwd }: { readonly directories: readonly string[]; readonly cwd: string },
  { writes }: Step,
): boolean {
  return writes.some(
    ({ path: file, kind }) =>
      directories.some((each) => contains(each, file)) && !(kind === 'made' && (file === cwd || directories.includes(file))),
  )
}
