import { closeSync, fstatSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { ownGit, pathsIn } from '../../cell/trees/own-git.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { reasonOf, type WalkEntry, walk } from '../../files/walk.ts'
import { hostSearchPath } from '../../system/host-program.ts'
import { directoryOf, isAtOrBelow, isGitName, pathOf, shownName, textOf } from '../copy-names.ts'
import type { CopyPlace, CopyRecord } from '../copy-record.ts'
import { type Entry, isLink, type Manifest, sameEntry } from '../manifest.ts'
import { type Listed, listCopy } from '../stamp.ts'
import { treeBounds } from '../taking/copy-bounds.ts'
import { FileTaker } from '../taking/file-taker.ts'
import { IgnoreFiles, isIgnoreFile } from '../taking/ignore-files.ts'
import { type AsCopied, asCopied } from './as-copied.ts'
import { type Change, changeOf } from './change.ts'
import { LimitedModes } from './limited-modes.ts'
import type { Marks } from './marks.ts'

export interface Scan {
  readonly changes: readonly Change[]
  /** Paths in the copy that are never applied, with the reasons. At most 1,000 are listed. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
  readonly leftOutCount: number
  /** The number of new files that the project's rules ignore. They are not applied. */
  readonly ignoredCount: number
  /** Other notes for the reviewer. */
  readonly notes: readonly string[]
}

export interface ScanOptions {
  readonly marks: Marks
  readonly searchPath: string
  readonly excludes: string | null
  /** Inert entries that a running cell has in the project, and that the agent did not make. */
  readonly inertPaths: ReadonlySet<string>
  /** From `listCopy`, if it began before this call. */
  readonly listed?: Promise<Listed | null>
  /** The user's umask, which limits the modes that the agent gave to files. */
  readonly umask: number
  /** Called after each entry. */
  readonly onEntry?: () => void
}

const quarantined = /\.quarantined(-\d+)?$/
const mostListed = 1000
/** The maximum size of one file. `mostBytesInAll` limits all new or resized files. An agent can make huge sparse files at no cost. */
const mostBytes = 8 * 1024 ** 3
const mostBytesInAll = 64 * 1024 ** 3

/**
 * Compares a copy, which an agent may have filled with anything, with its base. Compares by content. A file whose stamp is unchanged since
 * it was hashed (see `writeStamps`) is not read again. No link is followed, and nothing in the copy's own `.git` is read.
 */
export async function scanCopy(place: CopyPlace, record: CopyRecord, base: Manifest, options: ScanOptions): Promise<Scan> {
  const look = new Look(place, base, record.setUp ?? [], await (options.listed ?? listCopy(place)), options)
  await look.all()
  const { fresh, seen, leftOut, closed, ignoreFiles, modes } = look
  const ignored = new Set(
    record.options.ignored || record.head === undefined
      ? []
      : await ignoredOf(place, fresh, ignoreFiles, {
          ...options,
          searchPath: hostSearchPath(options.searchPath, [record.project]),
        }),
  )
  const links = new Map([...fresh, ...seen.values()].filter(isLink).map((each) => [each.path, each.target]))
  const inCopy = (file: string): string | null => links.get(file) ?? null
  const marks: Marks = { ...options.marks, link: (file, target) => options.marks.link(file, target, inCopy) }
  const changes: Change[] = []
  for (const each of fresh) if (!ignored.has(each.path)) changes.push(changeOf(null, each, marks))
  const left = new Set(leftOut.map((each) => each.path))
  for (const each of base.entries) {
    if (look.same.directories.has(directoryOf(each.path))) continue
    const now = seen.get(each.path) ?? null
    // An entry that could not be read may not have been deleted.
    if (now === null && (isAtOrBelow(each.path, closed) || left.has(each.path))) continue
    if (each !== now && !sameEntry(each, now)) changes.push(changeOf(each, now, marks))
  }
  changes.sort((a, b) => (a.path < b.path ? -1 : 1))
  return {
    changes,
    leftOut: leftOut.slice(0, mostListed),
    leftOutCount: leftOut.length,
    ignoredCount: ignored.size,
    notes: [...ignoreFiles.notes, ...modes.notes(ignored)],
  }
}

class Look {
  /** Entries that did not exist when the copy was made. */
  readonly fresh: Entry[] = []
  readonly seen = new Map<string, Entry>()
  readonly leftOut: { path: string; why: string }[] = []
  /** Directories that could not be read. */
  readonly closed = new Set<string>()
  readonly ignoreFiles = new IgnoreFiles()
  readonly modes: LimitedModes
  readonly same: AsCopied
  readonly #place: CopyPlace
  readonly #setUp: readonly string[]
  readonly #inertPaths: ReadonlySet<string>
  readonly #onEntry: () => void
  readonly #known: ReadonlyMap<string, Entry>
  #bytes = 0
  readonly #taker = new FileTaker()

  constructor(
    place: CopyPlace,
    base: Manifest,
    setUp: readonly string[],
    listed: Listed | null,
    { inertPaths, umask, onEntry }: ScanOptions,
  ) {
    this.#place = place
    this.modes = new LimitedModes(umask)
    this.#setUp = setUp
    this.#inertPaths = inertPaths
    this.#onEntry = onEntry ?? (() => undefined)
    this.#known = new Map(base.entries.map((each) => [each.path, each]))
    this.same = asCopied(listed, base)
  }

  async all(): Promise<void> {
    for await (const entry of walk(this.#place.tree, treeBounds)) {
      const why = this.#one(entry)
      if (why !== null) this.leftOut.push({ path: shownName(entry.names), why })
      this.#onEntry()
    }
  }

  #one(entry: WalkEntry): string | null {
    const name = pathOf(entry.names)
    if (entry.notEntered !== undefined) {
      if (name !== null) this.closed.add(name)
      return entry.notEntered
    }
    if (name === null) {
      entry.skip()
      return 'its name is not UTF-8'
    }
    if (isGitName(path.posix.basename(name)) || this.#setUp.includes(name) || this.#inertPaths.has(`${this.#place.tree}/${name}`)) {
      entry.skip()
      return null
    }
    if (quarantined.test(name) && !this.#known.has(name)) {
      entry.skip()
      return 'it was quarantined (a tool on your machine would run it)'
    }
    if (isIgnoreFile(name)) this.ignoreFiles.take(name, entry)
    if (entry.kind === 'directory') {
      if (this.same.directories.has(name)) entry.skip()
      return null
    }
    const known = this.#known.get(name)
    const found = known !== undefined && entry.kind === 'file' && this.same.files.has(name) ? known : this.#read(entry, name)
    if (typeof found === 'string') return found
    if (known !== undefined) this.seen.set(name, found)
    else this.fresh.push(found)
    return null
  }

  #affords(name: string, size: number): boolean {
    const base = this.#known.get(name)
    if (base !== undefined && !isLink(base) && base.size === size) return true
    this.#bytes += size
    return size <= mostBytes && this.#bytes <= mostBytesInAll
  }

  #read(entry: WalkEntry, name: string): Entry | string {
    try {
      if (entry.kind === 'symlink') {
        const target = textOf(entry.readlink())
        return target === null ? 'it is a link to a name that is not UTF-8' : { path: name, target }
      }
      if (entry.kind !== 'file') return 'it is not a regular file'
      const descriptor = entry.open()
      try {
        const facts = fstatSync(descriptor)
        if (!facts.isFile()) return 'changed while it was read'
        if (!this.#affords(name, facts.size)) return 'it, or all that is new together, is too large'
        return { path: name, mode: this.modes.of(name, facts.mode, this.#known.get(name)), ...this.#taker.hash(descriptor) }
      } finally {
        closeSync(descriptor)
      }
    } catch (error) {
      return reasonOf(error)
    }
  }
}

/** Returns the new files that are ignored by ignore files in the copy, the project's info/exclude or the user's own rules. */
async function ignoredOf(
  place: CopyPlace,
  fresh: readonly Entry[],
  ignoreFiles: IgnoreFiles,
  options: ScanOptions,
): Promise<readonly string[]> {
  if (fresh.length === 0) return []
  const workTree = mkdtempSync(path.join(place.directory, 'rules.tree-'))
  const places = { gitDirectory: place.rules, workTree, searchPath: options.searchPath, excludes: options.excludes }
  // A name that starts with a colon would be a pathspec with magic (gitglossary(7)).
  const input = Buffer.from(fresh.map((each) => `./${each.path}\0`).join(''))
  try {
    ignoreFiles.writeInto(workTree)
    const ignored = pathsIn(await ownGit(['check-ignore', '--stdin', '-z', '--no-index'], places, { input, ok: [1] }))
    return ignored.map((each) => each.replace(/^\.\//, ''))
  } finally {
    await removeTree(workTree)
  }
}
