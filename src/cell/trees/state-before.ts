import type { Stats } from 'node:fs'
import path from 'node:path'
import { gitConfigMark } from '../../git/config-mark.ts'
import type { RunLaterRow } from '../plan/protected/rows.ts'
import { runLaterOfGit } from '../plan/protected/run-later.ts'
import type { GitStart } from './hidden-in-git.ts'
import { isSameEntry, type KnownEntry } from './known-entries.ts'

/** What was true when the cell started. */
export interface CellStart {
  /** Milliseconds since the epoch; 0: everything in the tree was made by the cell. */
  readonly startedAt: number
  /** What was there before and runs later, or stood there for the cell. */
  readonly known: readonly KnownEntry[]
  /** What agents run or obey later, besides the table of other tools: as in the facts of the machine. */
  readonly runLater: readonly RunLaterRow[]
  /** Where configurations of git sent it to. */
  readonly configured?: readonly string[]
  /** Git directories outside of the trees that the cell may write to: those of linked work trees. */
  readonly outerGits?: readonly string[]
  /** What the configurations of repositories said, by `gitConfigMark`. */
  readonly gitConfigs?: readonly (readonly [path: string, mark: string | null])[]
  /** Repositories that the cell may write to. */
  readonly repositories?: readonly GitStart[]
  /** A directory of Paddock's own for the time of the cell. */
  readonly runDirectory?: string
}

/** What git obeys in a git directory. */
const ofGit = new Set(runLaterOfGit.map((each) => each.path))
const lastNamesOfGit = new Set([...ofGit].map((each) => path.basename(each)))
const directoriesOfGit = new Set([...ofGit].map((each) => path.dirname(each)).filter((each) => each !== '.'))

/** True for the last name of what git obeys in a git directory. */
export function isOfGit(name: string): boolean {
  return lastNamesOfGit.has(name)
}

/** What was protected in a tree when the cell started, by path in full. */
export class StateBefore {
  readonly #known: ReadonlyMap<string, KnownEntry>
  readonly #gitConfigs: ReadonlyMap<string, string | null>
  readonly #configured: ReadonlySet<string>
  /** The directories that these are in. */
  readonly #above = new Set<string>()

  constructor(start: CellStart, root: string) {
    this.#known = new Map(start.known.map((each) => [each[0], each]))
    this.#gitConfigs = new Map(start.gitConfigs)
    this.#configured = new Set(start.configured)
    for (const each of this.#configured)
      for (let above = path.dirname(each); above.startsWith(`${root}/`); above = path.dirname(above)) this.#above.add(above)
  }

  paths(): Iterable<string> {
    return this.#known.keys()
  }

  /** True for an entry that is still the one that was there. */
  has(absolute: string, stat: Stats): boolean {
    const known = this.#known.get(absolute)
    return known !== undefined && isSameEntry(known, stat)
  }

  /** True for a git directory that was protected in the cell: its config, or the commondir that says where that is. */
  isRepository(absolute: string): boolean {
    return this.#known.has(absolute) && ['config', 'commondir'].some((each) => this.#known.has(path.join(absolute, each)))
  }

  /** True for the place of something that git obeys: in a repository, where a configuration sends it to, or a link on the way there. */
  wasProtectedFor(absolute: string, kind: string): boolean {
    return this.#configured.has(absolute) || (this.#above.has(absolute) && kind === 'symlink') || this.isObeyedByGit(absolute)
  }

  /** True for a directory of a repository in which git obeys a file; none of them was a link when the cell started. */
  isWayOfGit(absolute: string): boolean {
    return directoriesOfGit.has(path.basename(absolute)) && this.isRepository(path.dirname(absolute))
  }

  /** True for the place of what git obeys in a repository, unless a configuration there says what it did. */
  isObeyedByGit(absolute: string): boolean {
    if (!isOfGit(path.basename(absolute))) return false
    const around = path.dirname(absolute)
    const isIn = (repository: string): boolean => ofGit.has(path.relative(repository, absolute)) && this.isRepository(repository)
    if (!isIn(around) && !isIn(path.dirname(around))) return false
    const mark = this.#gitConfigs.get(absolute) ?? null
    return mark === null || gitConfigMark(absolute) !== mark
  }
}
