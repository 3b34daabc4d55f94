import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { lstatOrNull } from '../../files/tree-names.ts'
import { looksLikeGitDirectory } from '../../git/directory-names.ts'
import type { KnownEntry } from './known-entries.ts'

/** Maximum number of entries that are searched for links before a cell starts. */
const mostEntries = 200_000

/**
 * Returns the symbolic links in these directories at any depth; null: there are too many entries. Directories that cannot be read are
 * left out, and so are those in `except`.
 */
export function linksBelow(directories: readonly string[], except: ReadonlySet<string>): KnownEntry[] | null {
  const found: KnownEntry[] = []
  const outermost = directories.filter((each) => !directories.some((other) => each.startsWith(`${other}/`)))
  const queue = [...new Set(outermost)].map((each) => Buffer.from(each))
  let room = mostEntries
  for (let directory = queue.pop(); directory !== undefined; directory = queue.pop()) {
    for (const each of namesIn(directory)) {
      if (room-- === 0) return null
      const at = Buffer.concat([directory, Buffer.from('/'), each.name])
      if (each.isDirectory() && !except.has(String(at))) queue.push(at)
      if (!each.isSymbolicLink()) continue
      const stat = lstatOrNull(at)
      if (stat !== null) found.push([String(at), stat.ino, stat.birthtimeMs])
    }
  }
  return found
}

function namesIn(directory: Buffer) {
  try {
    return readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })
  } catch {
    return []
  }
}

/** The git directories in and around one tree, as git on the host finds them. */
export class GitAround {
  readonly #base: string
  readonly #isKnown: (names: readonly Buffer[], looksLikeOne: () => boolean) => boolean
  readonly #isWorkTree: (names: readonly Buffer[]) => boolean
  readonly #rootIsIn: boolean
  readonly #found = new Map<string, readonly Buffer[] | null>()

  /**
   * @param base the path of the opened root
   * @param isKnown returns true for a directory that was a git directory when the cell started, or that looks like one and may have been
   * @param isWorkTree returns true for the top directory of a work tree that existed then
   */
  constructor(
    root: string,
    base: string,
    isKnown: (names: readonly Buffer[], looksLikeOne: () => boolean) => boolean,
    isWorkTree: (names: readonly Buffer[]) => boolean,
  ) {
    this.#base = base
    this.#isKnown = isKnown
    this.#isWorkTree = isWorkTree
    this.#rootIsIn = isInGitDirectory(path.dirname(root)) && lstatSync(`${root}/.git`, { throwIfNoEntry: false }) === undefined
  }

  /**
   * Returns the names of the git directory that a directory is or belongs to; null: it belongs to none, or to a work tree inside of one. The
   * root counts as one if it is inside of a git directory.
   */
  of(names: readonly Buffer[]): readonly Buffer[] | null {
    const key = Buffer.concat(names.flatMap((each) => [Buffer.from('/'), each])).toString('latin1')
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = this.#look(names)
    this.#found.set(key, found)
    return found
  }

  #look(names: readonly Buffer[]): readonly Buffer[] | null {
    if (String(names.at(-1)) === '.git' || this.#isKnown(names, () => looksLikeGit(this.#path(names)))) return names
    if (this.#isWorkTree(names)) return null
    if (names.length === 0) return this.#rootIsIn ? names : null
    return this.of(names.slice(0, -1))
  }

  /** Returns true if a directory between a git directory and a name in it was changed since a time, so that it may have been moved there. */
  changedBetween(git: readonly Buffer[], directory: readonly Buffer[], since: number): boolean {
    for (let at = directory.length; at > git.length; at--)
      if ((lstatOrNull(this.#path(directory.slice(0, at)))?.ctimeMs ?? since) >= since) return true
    return false
  }

  #path(names: readonly Buffer[]): Buffer {
    return Buffer.concat([Buffer.from(this.#base), ...names.flatMap((each) => [Buffer.from('/'), each])])
  }
}

function looksLikeGit(directory: Buffer): boolean {
  return looksLikeGitDirectory({ has: (name) => lstatOrNull(Buffer.concat([directory, Buffer.from(`/${name}`)])) !== null })
}

function isInGitDirectory(directory: string): boolean {
  if (path.basename(directory) === '.git' || looksLikeGit(Buffer.from(directory))) return true
  return directory !== '/' && lstatOrNull(`${directory}/.git`) === null && isInGitDirectory(path.dirname(directory))
}
