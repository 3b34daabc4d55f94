import type { Stats } from 'node:fs'
import path from 'node:path'
import { gitConfigMark } from '../../git/config-mark.ts'
import type { RunLaterRow } from '../plan/protected/row-kinds.ts'
import { runLaterOfGit } from '../plan/protected/run-later.ts'
import type { WorkTreesView } from '../plan/work-trees-view.ts'
import type { GitBefore } from './git-before.ts'
import type { GitStart } from './hidden-in-git.ts'
import { isSameEntry, type KnownEntry } from './known-entries.ts'
import type { Listing } from './listing.ts'

/** The state of a tree when the cell started. */
export interface CellStart {
  /** Start of the cell in milliseconds since the epoch; 0: everything in the tree was created by the cell. */
  readonly startedAt: number
  /** Entries that existed before and run later, or were created for the cell. */
  readonly known: readonly KnownEntry[]
  /** Files that agents run or obey later, in addition to the table of other tools. Also part of `MachineFacts`. */
  readonly runLater: readonly RunLaterRow[]
  /** Those of the trees in which nothing is protected (`rulesIn`). */
  readonly taskTrees?: readonly string[]
  /** Paths that git configurations named. */
  readonly configured?: readonly string[]
  /** Symbolic links in the git directories of these trees. Null or absent: not known. */
  readonly gitLinks?: readonly KnownEntry[] | null
  /** Paths of the host that the cell could read or write. */
  readonly shown?: readonly string[]
  /** Directories of the system and of toolchains that the cell could read. */
  readonly ofSystem?: readonly string[]
  /** Git directories of linked work trees that are outside of the trees that the cell may write to. */
  readonly outerGits?: readonly string[]
  /** Marks of the repositories' configurations (`gitConfigMark`). */
  readonly gitConfigs?: readonly (readonly [path: string, mark: string | null])[]
  /** Repositories that the cell may write to. */
  readonly repositories?: readonly GitStart[]
  /** Git directories that were in laundered form. They are laundered again. */
  readonly laundered?: readonly string[]
  /** Versions of protected paths that the user's own commits have, as `ID PATH`. */
  readonly ownVersions?: readonly string[]
  /** The files of the trees at the start. Without them, deletions and renames are not detected. */
  readonly listings?: ReadonlyMap<string, Listing>
  /** The directories at the start, as `DEVICE INODE PATH` (`LinkedNames`). Those in which nothing has changed are not looked into. */
  readonly directories?: readonly string[]
  /** The state of git at the start. */
  readonly git?: GitBefore
  /** The directory with the records of work trees that Paddock made (`made-worktrees.ts`). */
  readonly worktrees?: string
  /** The views of linked work trees that the cell had, and the entries that it created in them. */
  readonly workTrees?: readonly WorkTreesView[]
  readonly adopted?: readonly string[]
  /** Returns true for the view of linked work trees of another cell that runs. */
  readonly isOthersView?: (directory: string) => boolean
  /** The trees that the cell could write to. */
  readonly trees?: readonly string[]
  /** The `.git` file of each laundered git directory that has one. The trees of a cell share the map. */
  readonly gitFiles?: Map<string, string>
  /** A directory of Paddock's own for the duration of the cell. */
  readonly runDirectory?: string
}

/** Paths that git obeys in a git directory. */
const ofGit = new Set(runLaterOfGit.map((each) => each.path))
const lastNamesOfGit = new Set([...ofGit].map((each) => path.basename(each)))

/** Returns true if a path that git obeys in a git directory has this last name. */
export function isOfGit(name: string): boolean {
  return lastNamesOfGit.has(name)
}

/** The protected paths in a tree when the cell started, by absolute path. */
export class StateBefore {
  readonly #known: ReadonlyMap<string, KnownEntry>
  readonly #gitConfigs: ReadonlyMap<string, string | null>
  readonly #gitLinks: ReadonlyMap<string, KnownEntry> | null
  readonly #configured: ReadonlySet<string>
  readonly #views: ReadonlyMap<string, WorkTreesView>
  readonly #adopted: ReadonlySet<string>
  /** The directories that contain these protected paths. */
  readonly #above = new Set<string>()

  constructor(start: CellStart, root: string) {
    this.#known = new Map(start.known.map((each) => [each[0], each]))
    this.#gitConfigs = new Map(start.gitConfigs)
    this.#gitLinks = start.gitLinks ? new Map(start.gitLinks.map((each) => [each[0], each])) : null
    this.#configured = new Set(start.configured)
    this.#views = new Map(start.workTrees?.map((each) => [each.directory, each]))
    this.#adopted = new Set(start.adopted)
    for (const each of this.#configured)
      for (let above = path.dirname(each); above.startsWith(`${root}/`); above = path.dirname(above)) this.#above.add(above)
  }

  paths(): Iterable<string> {
    return this.#known.keys()
  }

  /** Returns true for an entry that is still the recorded one. */
  has(absolute: string, stat: Stats): boolean {
    const known = this.#known.get(absolute)
    return known !== undefined && isSameEntry(known, stat)
  }

  /** Returns true for the entry of a linked work tree that the cell could not write to, because it had only a view of the directory. */
  wasReadOnly(absolute: string): boolean {
    const view = this.#views.get(path.dirname(absolute))
    return view !== undefined && !view.own.includes(path.basename(absolute)) && !this.#adopted.has(absolute)
  }

  /** Returns true for a symbolic link that was in a git directory at this path; null: this is not known for the git directory. */
  hasLink(absolute: string, stat: Stats, git: string): boolean | null {
    const known = this.#gitLinks?.get(absolute)
    if (known !== undefined) return isSameEntry(known, stat)
    return this.#gitLinks !== null && this.isRepository(git) ? false : null
  }

  /** Returns true for a directory that was the top of a work tree. */
  isWorkTree(absolute: string): boolean {
    return this.#known.has(path.join(absolute, '.git'))
  }

  /** Returns true for a git directory that was protected in the cell, by its config or by the commondir that points to the config. */
  isRepository(absolute: string): boolean {
    return this.#known.has(absolute) && ['config', 'commondir'].some((each) => this.#known.has(path.join(absolute, each)))
  }

  /** Returns true for a path that git obeys: in a repository, named by a configuration, or a link on the way to such a path. */
  wasProtectedFor(absolute: string, kind: string): boolean {
    return this.#configured.has(absolute) || (this.#above.has(absolute) && kind === 'symlink') || this.isObeyedByGit(absolute)
  }

  /** Returns true for a path that git obeys in a repository, except a configuration that has not changed. */
  isObeyedByGit(absolute: string): boolean {
    if (!isOfGit(path.basename(absolute))) return false
    const around = path.dirname(absolute)
    const isIn = (repository: string): boolean => ofGit.has(path.relative(repository, absolute)) && this.isRepository(repository)
    if (!isIn(around) && !isIn(path.dirname(around))) return false
    const mark = this.#gitConfigs.get(absolute) ?? null
    return mark === null || gitConfigMark(absolute) !== mark
  }
}
