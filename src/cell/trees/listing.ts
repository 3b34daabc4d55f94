import type { Stats } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { lazily } from '../../base/lazily.ts'
import { kindBelow } from '../../files/kind-below.ts'
import { lstatOrNull } from '../../files/tree-names.ts'
import type { ListedFiles } from '../plan/machine-facts.ts'
import type { ChangeSummary } from '../report.ts'
import { ContentsBefore } from './contents-before.ts'

/** The number of files whose identities are read before the cell starts. It takes a few milliseconds. */
const identifiedFirst = 500
/** The pace for the rest: a few milliseconds of work, then a pause. */
const turn = { files: 300, pauseMs: 10 }

/**
 * The files of a tree when its cell started, compared with those at its end. The names are complete before the cell runs, so no deletion is
 * missed. The identities (inode and time of creation, which a program cannot choose) are read for the first files before and for the
 * others while it runs. A file that the cell renamed before its identity was read is a deleted and a created one.
 */
export class Listing {
  readonly #root: string
  readonly #unlisted: ReadonlySet<string>
  /** Whether each file was found again. Made at the end, because it takes long for many files. */
  readonly #known = lazily(() => new Map(this.#files.map((each) => [each, false])))
  /** Paths by identity. */
  readonly #identities = new Map<string, string>()
  /** Files that the cell did not create, at paths where no file was, with their identities. */
  readonly #arrived: { readonly to: string; readonly identity: string }[] = []
  /** Directories in which everything is as it was. */
  readonly #unchanged = new Set<string>()
  #identified = 0
  readonly #files: readonly string[]
  readonly #listed: ListedFiles
  #contents: ContentsBefore | null = null

  constructor(root: string, listed: ListedFiles) {
    const { files, unlisted } = listed
    this.#root = root
    this.#listed = listed
    this.#files = files
    this.#unlisted = new Set(unlisted)
    this.#identify(identifiedFirst)
  }

  /** Reads the contents of the files where times do not tell that they were written to. Must be complete before the cell runs. */
  async readContents(): Promise<void> {
    this.#contents = await ContentsBefore.of(this.#root, this.#listed)
  }

  /** The contents; null if they are not known, or times tell enough. */
  get contents(): ContentsBefore | null {
    return this.#contents
  }

  /** Reads the identities of the other files, until the signal is aborted. */
  async identify(signal: AbortSignal): Promise<void> {
    while (this.#identified < this.#files.length && !signal.aborted) {
      this.#identify(turn.files)
      await setTimeout(turn.pauseMs)
    }
  }

  #identify(most: number): void {
    for (const each of this.#files.slice(this.#identified, this.#identified + most)) {
      const stat = lstatOrNull(path.join(this.#root, each))
      if (stat !== null && !stat.isDirectory()) this.#identities.set(identityOf(stat), each)
    }
    this.#identified += most
  }

  /** Notes that something other than a directory is at this path now. */
  seen(relative: string): void {
    if (this.had(relative)) this.#known().set(relative, true)
  }

  /** Notes that everything below this directory is as it was. */
  seenBelow(relative: string): void {
    this.#unchanged.add(relative)
  }

  /** Returns true if a file was at this path. */
  had(relative: string): boolean {
    return this.#known().has(relative)
  }

  /** Returns true if this directory or one above it was not listed, so that nothing is known about its contents. */
  isUnlisted(relative: string): boolean {
    for (let each = relative; each !== '.'; each = path.dirname(each)) if (this.#unlisted.has(each)) return true
    return false
  }

  /** Notes a file at a path where no file was, that is older than the cell. */
  arrived(to: string, stat: Stats): void {
    this.#arrived.push({ to, identity: identityOf(stat) })
  }

  /**
   * Returns the files that are gone, those that are at another path, and the arrived ones that came from somewhere else. `isWhole`: the tree
   * was searched completely; otherwise each missing file is looked at, until there are more than `most`.
   */
  compared(isWhole: boolean, most: number): Pick<ChangeSummary, 'deleted' | 'renamed'> & { readonly others: readonly string[] } {
    const gone = new Set<string>()
    const unchanged = new Map<string, boolean>([['.', false]])
    const isUnchanged = (directory: string): boolean => {
      const known = unchanged.get(directory) ?? (this.#unchanged.has(directory) || isUnchanged(path.dirname(directory)))
      unchanged.set(directory, known)
      return known
    }
    for (const [each, isSeen] of this.#known()) {
      if (gone.size > most && !isWhole) break
      if (!isSeen && !isUnchanged(path.dirname(each)) && (isWhole || this.#isGone(each))) gone.add(each)
    }
    for (const each of this.#unlisted) if (this.#isDirectoryGone(each)) gone.add(each)
    const renamed: { from: string; to: string }[] = []
    const others: string[] = []
    for (const { to, identity } of this.#arrived) {
      const from = this.#identities.get(identity)
      if (from !== undefined && gone.delete(from)) renamed.push({ from, to })
      else others.push(to)
    }
    return { deleted: [...gone], renamed, others }
  }

  #isGone(relative: string): boolean {
    const kind = this.#kind(relative)
    return kind === null || kind === 'directory'
  }

  #isDirectoryGone(relative: string): boolean {
    const kind = this.#kind(relative)
    return kind !== 'directory' && kind !== 'unknown'
  }

  #kind(relative: string): ReturnType<typeof kindBelow> | 'unknown' {
    try {
      return kindBelow(this.#root, path.join(this.#root, relative))
    } catch {
      return 'unknown'
    }
  }
}

function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`
}
