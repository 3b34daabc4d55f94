import { closeSync, existsSync, type Stats } from 'node:fs'
import path from 'node:path'
import { openBelow } from '../../files/open-below.ts'
import { joined, linkEnd, lstatOrNull, shown } from '../../files/tree-names.ts'
import { type WalkEntry, WalkTooLarge, walk } from '../../files/walk.ts'
import { gitDirectoryNames, isConfiguredSince, looksLikeGitDirectory } from '../../git/directory-names.ts'
import { realPathOf } from '../../system/paths-to.ts'
import { skipped } from '../plan/project-facts.ts'
import { type RunLaterRules, rulesIn } from '../plan/protected/run-later.ts'
import { isViewName } from '../plan/work-trees-view.ts'
import { timesTellWrites } from './contents-before.ts'
import { isHarmless, settingsDirectory } from './editor-settings/harmless.ts'
import { clearDirectorySetId, clearSetId, openEntry } from './entry-rights.ts'
import type { SeenFile } from './file-capabilities.ts'
import { GitAround } from './git-links.ts'
import { Laundry } from './launder/laundry.ts'
import type { Listing } from './listing.ts'
import { Quarantine, renameNew, type Summary, type UnlessOthers } from './quarantine-files.ts'
import { type CellStart, isOfGit, StateBefore } from './state-before.ts'

/** Files with what git goes on with. Those of the second list count in the main work tree of a repository, where a linked one should change nothing. */
const todos = ['rebase-merge/git-rebase-todo', 'rebase-apply/git-rebase-todo', 'sequencer/todo']
const heads = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']

/** Matches paths in a directory that is not searched at the start. A `.git` is searched separately. */
const belowSkipped = new RegExp(
  `(?:^|/)(?:${[...skipped]
    .filter((each) => each !== '.git')
    .map((each) => each.replace('.', '\\.'))
    .join('|')})/`,
)

/** Maximum numbers of entries and levels in a walk. Each level needs two descriptors. */
export const bounds = { maxEntries: 500_000, maxDepth: 190 }

/** Examines a tree that a cell could write to, entry by entry: records changes, and quarantines new entries that would run later. */
export class TreeLook {
  readonly #root: string
  /** The path of the opened root. */
  readonly #base: string
  readonly #since: number
  readonly #before: StateBefore
  readonly #rules: RunLaterRules
  readonly #quarantine: Quarantine
  readonly #found: Summary
  readonly #listing: Listing | null
  readonly #unchanged: ReadonlySet<string>
  /** False on a file system where a program can write to a file without a change of its times. */
  readonly #timesTell: boolean
  readonly #isOthersView: (relative: string) => boolean
  /** Returns true for the end of a link that is worth no line. */
  readonly #isExpectedEnd: (file: string) => boolean
  /** Programs that the cell has created or changed. */
  readonly executables: SeenFile[] = []
  /** New links that lead out of the cell's trees. */
  readonly linksOut: { readonly path: string; readonly target: string }[] = []
  /** The parts of a git directory that were found in each directory. */
  readonly #parts = new Map<string, Set<string>>()
  /** Git directories that stay in place and must still be searched. */
  readonly #gits: (readonly Buffer[])[] = []
  /** The root, if it is the git directory of a linked work tree. */
  #outerGit: string | null = null
  readonly #gitAround: GitAround
  readonly #laundry: Laundry
  /** Git directories that the cell made, and the `.git` files. They are laundered or quarantined after the walk. */
  readonly #newGits: (readonly Buffer[])[] = []
  readonly #newGitFiles: (readonly Buffer[])[] = []
  /** New linked work trees of repositories that existed before. */
  readonly #newWorktrees: (readonly Buffer[])[] = []
  /** New git directories of submodules in repositories that existed before. */
  readonly #newModules: (readonly Buffer[])[] = []
  /** Settings directories of editors that the cell made. They are kept or quarantined after the walk. */
  readonly #newSettings: (readonly Buffer[])[] = []

  /** `unchanged`: directories in which nothing has changed (`unchangedDirectories`). */
  constructor(
    tree: { readonly root: string; readonly base: string; readonly unchanged?: ReadonlySet<string> },
    start: CellStart,
    unlessOthers: UnlessOthers,
    found: Summary,
  ) {
    this.#root = tree.root
    this.#unchanged = tree.unchanged ?? new Set()
    this.#timesTell = timesTellWrites(tree.root)
    this.#base = tree.base
    this.#since = start.startedAt
    this.#before = new StateBefore(start, tree.root)
    this.#rules = rulesIn(tree.root, start)
    this.#quarantine = new Quarantine(tree.root, unlessOthers, found)
    this.#found = found
    this.#isOthersView = (relative) => isViewName(path.basename(relative)) && start.isOthersView?.(path.join(tree.root, relative)) === true
    this.#listing = start.listings?.get(tree.root) ?? null
    const places = [tree.root, ...(start.trees ?? []), ...(start.ofSystem ?? []), '/dev/null']
    this.#isExpectedEnd = (file) => places.some((each) => file === each || file.startsWith(`${each}/`))
    const full = (names: readonly Buffer[]): string => [tree.root, ...names].join('/')
    this.#laundry = new Laundry(
      tree,
      { trees: start.trees ?? [tree.root], gitFiles: start.gitFiles ?? new Map(), laundered: new Set(start.laundered) },
      this.#quarantine,
      (file) => [tree.root, ...(start.shown ?? [])].some((each) => file === each || file.startsWith(`${each}/`)),
      (entry) => this.#seenInGit(entry),
    )
    this.#gitAround = new GitAround(
      tree.root,
      tree.base,
      (names, looksLikeOne) => this.#before.isRepository(full(names)) || (this.#skippedAt(names) >= 0 && looksLikeOne()),
      (names) => this.#before.isWorkTree(full(names)),
    )
  }

  /** Returns true for a name that would run later, or be a repository, if the cell made it. */
  isObeyed(entry: WalkEntry): boolean {
    return String(entry.names.at(-1) ?? '') === '.git' || this.#isProtected(entry, shown(entry.names))
  }

  at(entry: WalkEntry): void {
    const relative = shown(entry.names)
    if (this.#isUnchanged(entry)) {
      this.#part(entry, String(entry.names.at(-1)), true)
      this.#listing?.seenBelow(relative)
      return
    }
    const stat = this.#statOf(entry, relative)
    if (stat === null) return
    if (!stat.isDirectory()) this.#listing?.seen(relative)
    const name = String(entry.names.at(-1) ?? '')
    const absolute = `${this.#root}/${relative}`
    if (this.#movedOutOfGit(entry, stat, absolute)) return
    const isKnown = this.#before.has(absolute, stat)
    const inSkipped = this.#since !== 0 && belowSkipped.test(relative)
    if (name === '.git' || (!inSkipped && this.#isProtected(entry, relative))) {
      entry.skip()
      if (this.#isLeft(entry, isKnown, inSkipped)) {
        if (name === '.git' && entry.kind === 'directory') addOnce(this.#gits, entry.names)
      } else if (name === '.git' && this.#since !== 0 && (entry.kind === 'directory' || entry.kind === 'file')) this.#newGit(entry)
      else if (name === settingsDirectory && this.#since !== 0 && entry.kind === 'directory') {
        this.#withoutRights(entry, stat, relative)
        addOnce(this.#newSettings, entry.names)
      } else this.#quarantine.move(entry, name)
      return
    }
    const isNewWay = entry.kind === 'symlink' && stat.ctimeMs >= this.#since && !inSkipped && this.#rules.isAboveProtected(relative)
    if (isNewWay || (!isKnown && this.#before.wasProtectedFor(absolute, entry.kind))) {
      entry.skip()
      this.#quarantine.move(entry, name)
      return
    }
    this.#part(entry, name, true)
    if (stat.ctimeMs < this.#since) {
      if (entry.kind === 'file' && this.#listing?.contents?.isRewritten(relative) === true) this.#changedFile(stat, relative)
      else if (!inSkipped) this.#withItsDirectory(entry, stat, relative)
      return
    }
    if (entry.kind === 'symlink') {
      const end = this.#endOf(entry)
      if (this.#isWhereNobodyLooks(end, inSkipped || skipped.has(name))) {
        this.#quarantine.move(entry, name)
        return
      }
      this.#leadsOut(relative, end)
    }
    this.#withoutRights(entry, stat, relative)
    if (inSkipped) this.#changedPackages(shown(entry.names.slice(0, this.#skippedAt(entry.names.slice(0, -1)) + 1)))
    else if (entry.kind !== 'directory') this.#changedFile(stat, relative)
    // A directory changes too if something in it is deleted.
    else if (this.#since !== 0 && skipped.has(name) && this.#listing?.isUnlisted(relative) === true) this.#changedPackages(relative)
  }

  /** Returns true for a directory in which nothing has changed, and keeps the walk from entering it. */
  #isUnchanged(entry: WalkEntry): boolean {
    if (this.#unchanged.size === 0 || entry.kind !== 'directory') return false
    const full = Buffer.concat([Buffer.from(`${this.#root}/`), joined(entry.names)]).toString('latin1')
    if (!this.#unchanged.has(full)) return false
    entry.skip()
    return true
  }

  #changedFile(stat: Stats, relative: string): void {
    const isNew = stat.birthtimeMs >= this.#since
    if (this.#listing?.had(relative) ?? !isNew) this.#found.modified.push(relative)
    else if (isNew) this.#found.created.push(relative)
    else if (this.#listing?.isUnlisted(relative) === true) this.#found.modified.push(relative)
    else this.#listing?.arrived(relative, stat)
  }

  /** Notes an unchanged file at a path where no file was: it came with a directory that was renamed. */
  #withItsDirectory(entry: WalkEntry, stat: Stats, relative: string): void {
    if (!stat.isFile() && !stat.isSymbolicLink()) return
    if (this.#listing === null || this.#listing.had(relative) || this.#listing.isUnlisted(relative)) return
    this.#listing.arrived(relative, stat)
    // A relative link leads elsewhere from another directory.
    if (entry.kind === 'symlink') this.#leadsOut(relative, this.#endOf(entry))
  }

  /** Returns the full path to which a link leads; empty if it is gone. */
  #endOf(entry: WalkEntry): string {
    return linkEnd(entry, path.join(this.#root, shown(entry.names.slice(0, -1))))
  }

  #leadsOut(relative: string, end: string): void {
    if (end === '') return
    // A file that does not exist yet may be in a directory that other links lead out to.
    const target = existsSync(end) ? end : realPathOf(path.join(this.#root, relative))
    if (!this.#isExpectedEnd(target)) this.linksOut.push({ path: relative, target })
  }

  /** Searches the whole tree as a git directory, for a linked work tree elsewhere. */
  wholeIsGit(): void {
    this.#outerGit = this.#root
    this.#gits.push([])
  }

  /**
   * Searches the git directories that existed before, for entries that make a directory in them a separate repository, or that would run
   * later there. A link or a `cd` could lead into any of them.
   */
  async inGitDirectories(): Promise<void> {
    for (let names = this.#gits.pop(), room = { left: bounds.maxEntries }; names !== undefined; names = this.#gits.pop())
      await this.#inDirectory(names, room, (entry) => this.#atGit(entry))
  }

  /** Launders the git directories that the cell made. The ones for which that is impossible are quarantined. */
  async launder(): Promise<void> {
    for (const each of this.#newGits) if (!(await this.#laundry.repository(each))) this.#disarm(each)
  }

  /** Does the same for new work trees and submodules of old repositories, and for all `.git` files. */
  async launderWorktrees(): Promise<void> {
    for (const each of this.#newWorktrees) if (!(await this.#laundry.worktree(each))) this.#quarantine.directories.push(each)
    for (const each of this.#newModules) if (!(await this.#laundry.submodule(each))) this.#quarantine.directories.push(each)
    for (const each of this.#newGitFiles)
      if (!this.#laundry.isGitFile(each)) this.#quarantine.moveInto(each.slice(0, -1), this.#base, { names: each, kind: 'file' })
    this.#found.laundered = this.#laundry.done
  }

  /** Keeps the settings directories of editors that the cell made if they can run nothing. The others are quarantined. */
  async keepSettings(): Promise<void> {
    const room = { left: bounds.maxEntries }
    for (const names of this.#newSettings) {
      let isKept = false
      const decide = async (here: string): Promise<boolean> => {
        isKept = await isHarmless(`${here}/.`)
        return isKept
      }
      await this.#inDirectory(names, room, (entry) => this.at(entry), decide)
      if (!isKept) this.#quarantine.moveInto(names.slice(0, -1), this.#base, { names, kind: 'directory' })
    }
  }

  /** Quarantines a `.git` directory, or the HEAD of a repository with another name. */
  #disarm(names: readonly Buffer[]): void {
    const isNamed = String(names.at(-1)) === '.git'
    const around = isNamed ? names.slice(0, -1) : names
    const moved = isNamed ? names : [...names, Buffer.from('HEAD')]
    this.#quarantine.moveInto(around, this.#base, { names: moved, kind: isNamed ? 'directory' : 'file' })
  }

  #newGit(entry: WalkEntry): void {
    if (entry.kind === 'directory') openEntry(entry)
    addOnce(entry.kind === 'directory' ? this.#newGits : this.#newGitFiles, entry.names)
  }

  #seenInGit(entry: WalkEntry): void {
    const relative = shown(entry.names)
    const stat = this.#statOf(entry, relative)
    if (stat !== null) this.#withoutRights(entry, stat, relative)
  }

  /**
   * Searches quarantined directories, because they are still active under their new names for anyone who enters them: a renamed `.git` is a
   * bare repository. All of their content is new, so no entry is known or skipped. The HEAD of every repository in them, and all other
   * entries that would run later, are quarantined.
   */
  async inAside(): Promise<void> {
    const room = { left: bounds.maxEntries }
    for (let names = this.#quarantine.directories.pop(); names !== undefined; names = this.#quarantine.directories.pop())
      await this.#inDirectory(
        names,
        room,
        (entry) => this.#atAside(entry),
        (here) => {
          const inHere = (each: Buffer): string => path.join(here, String(each))
          // Without HEAD git does not treat the directory as a repository, whatever else it contains.
          if (lstatOrNull(`${here}/HEAD`) !== null)
            this.#quarantine.rename((from, to) => renameNew(inHere(from), inHere(to)), names ?? [], 'HEAD')
        },
      )
  }

  /**
   * Walks a directory in the root, given by its path's names, unless `first` returns false. A directory that cannot be walked completely is
   * reported as not searched.
   */
  async #inDirectory(
    prefix: readonly Buffer[],
    room: { left: number },
    at: (entry: WalkEntry) => void,
    first: (here: string) => unknown = () => undefined,
  ): Promise<void> {
    const place = shown(prefix) || '.'
    let directory: number
    try {
      directory = openBelow(this.#base, prefix)
    } catch {
      this.#found.unsearched.push(place)
      return
    }
    try {
      const here = process.platform === 'linux' ? `/proc/self/fd/${directory}` : path.join(this.#root, place)
      if ((await first(here)) === false) return
      for await (const each of walk(`${here}/.`, { ...bounds, maxEntries: Math.max(1, room.left) })) {
        room.left--
        at({ ...each, names: [...prefix, ...each.names] })
      }
    } catch (error) {
      this.#found.truncated ||= error instanceof WalkTooLarge
      this.#found.unsearched.push(place)
    } finally {
      closeSync(directory)
    }
  }

  /** Examines an entry in a git directory that existed before. Git's own files are not examined one by one. */
  #atGit(entry: WalkEntry): void {
    const name = String(entry.names.at(-1) ?? '')
    if (this.#isUnchanged(entry)) {
      this.#part(entry, name)
      return
    }
    const relative = shown(entry.names)
    if (this.#before.wasReadOnly(path.join(this.#root, relative)) || (entry.kind === 'directory' && this.#isOthersView(relative))) {
      entry.skip()
      return
    }
    // Ref names never start with a dot (git-check-ref-format(1)), so no ref is mistaken for a file that a tool obeys.
    const runsLater = name.startsWith('.') && this.#isProtected(entry, relative)
    if (entry.kind === 'file' && !runsLater && !gitDirectoryNames.has(name) && !isOfGit(name)) return
    const stat = this.#statOf(entry, relative)
    if (stat === null) return
    const absolute = path.join(this.#root, relative)
    if (this.#movedOutOfGit(entry, stat, absolute)) return
    if (this.#isNewWorktree(entry, absolute)) {
      entry.skip()
      openEntry(entry)
      this.#newWorktrees.push(entry.names)
      return
    }
    if (this.#isNewModule(entry, absolute)) {
      entry.skip()
      openEntry(entry)
      this.#newModules.push(entry.names)
      return
    }
    const isKnown = this.#before.has(absolute, stat)
    const isObeyed = !isKnown && this.#before.isObeyedByGit(absolute)
    if (isObeyed || (runsLater && !this.#isLeft(entry, isKnown, this.#inSkipped(entry)))) {
      entry.skip()
      this.#quarantine.move(entry, name)
      return
    }
    this.#part(entry, name)
    if (entry.kind === 'directory' && stat.ctimeMs >= this.#since) openEntry(entry)
  }

  /**
   * Quarantines a link in a git directory, unless it was there when the cell started. Git on the host would write through it: a log, a
   * message, a ref or the index. The link is moved to the top of the git directory, because git uses all names in directories such as
   * refs, logs and worktrees. Returns false for every other entry.
   */
  #movedOutOfGit(entry: WalkEntry, stat: Stats, absolute: string): boolean {
    if (entry.kind !== 'symlink') return false
    const around = entry.names.slice(0, -1)
    const git = this.#gitAround.of(around)
    if (git === null) return false
    const isOld = (): boolean => stat.ctimeMs < this.#since && !this.#gitAround.changedBetween(git, around, this.#since)
    if (this.#before.hasLink(absolute, stat, path.join(this.#root, shown(git))) ?? isOld()) return false
    this.#quarantine.moveInto(git, this.#base, entry)
    return true
  }

  #isNewWorktree(entry: WalkEntry, absolute: string): boolean {
    const around = path.dirname(absolute)
    if (entry.kind !== 'directory' || path.basename(around) !== 'worktrees' || this.#since === 0) return false
    return this.#before.isRepository(path.dirname(around)) && !this.#before.isRepository(absolute)
  }

  /** Returns true for the git directory of a new submodule, in the directory `modules` of a repository that existed before. */
  #isNewModule(entry: WalkEntry, absolute: string): boolean {
    if (entry.kind !== 'directory' || this.#since === 0 || this.#before.isRepository(absolute)) return false
    let around = path.dirname(absolute)
    while (around.startsWith(`${this.#root}/`) && !this.#before.isRepository(around)) around = path.dirname(around)
    const isInModules = path.relative(around, absolute).startsWith('modules/') && this.#before.isRepository(around)
    return isInModules && this.#laundry.looksLikeGit(entry.names)
  }

  #atAside(entry: WalkEntry): void {
    const relative = shown(entry.names)
    const stat = this.#statOf(entry, relative)
    if (stat === null || this.#movedOutOfGit(entry, stat, path.join(this.#root, relative))) return
    const name = String(entry.names.at(-1) ?? '')
    if (this.#isProtected(entry, relative)) {
      entry.skip()
      this.#quarantine.move(entry, name)
      return
    }
    this.#part(entry, name)
    if (stat.ctimeMs >= this.#since) this.#withoutRights(entry, stat, relative)
  }

  /** Returns the Stats of an entry. If the entry could not be searched, reports it and returns null. */
  #statOf(entry: WalkEntry, relative: string): Stats | null {
    if (entry.notEntered === undefined) {
      try {
        return entry.lstat()
      } catch {
        // Reported below.
      }
    } else this.#found.truncated = true
    this.#found.unsearched.push(relative)
    return null
  }

  /**
   * Quarantines HEAD in a directory that git would treat as a repository, or remembers the directory for laundering. Without HEAD the
   * directory is not a repository.
   */
  #part(entry: WalkEntry, name: string, isLaundered = false): void {
    if (!gitDirectoryNames.has(name)) return
    const around = entry.names.slice(0, -1)
    // Compared as bytes, because two names that are not UTF-8 can be the same as text.
    const key = joined(around).toString('latin1')
    const parts = this.#parts.get(key) ?? new Set()
    this.#parts.set(key, parts.add(name))
    if (!looksLikeGitDirectory(parts) || this.#before.isRepository(path.join(this.#root, shown(around)))) return
    if (this.#inSkipped(entry) && !this.#isConfiguredSince(around)) return
    if (isLaundered && this.#since !== 0 && around.length > 0) this.#newGits.push(around)
    else this.#quarantine.move(entry, 'HEAD')
  }

  /**
   * Returns true for an entry that would run later but stays, because it existed before. The inode decides, not the times, because
   * an old entry may have been moved there from a directory that is not searched at the start. Inside such a directory the times decide.
   */
  #isLeft(entry: WalkEntry, isKnown: boolean, inSkipped: boolean): boolean {
    return isKnown || (inSkipped && !this.#isConfiguredSince(entry.names))
  }

  #isConfiguredSince(names: readonly Buffer[]): boolean {
    // Without times and contents, nothing shows that the user configured it.
    if (!this.#timesTell && this.#listing?.contents?.isConfigured(joined(names)) !== false) return true
    return isConfiguredSince(Buffer.concat([Buffer.from(`${this.#base}/`), joined(names)]), this.#since)
  }

  /** Returns the index of the first name of a path that is a directory not searched at the start, or -1. */
  #skippedAt(names: readonly Buffer[]): number {
    // If the cell created everything, the packages in it were not installed by the user.
    if (this.#since === 0) return -1
    return names.findIndex((each) => String(each) !== '.git' && skipped.has(String(each)))
  }

  #inSkipped(entry: WalkEntry): boolean {
    return this.#skippedAt(entry.names.slice(0, -1)) >= 0
  }

  /**
   * Returns true for the end of a link that is in a git directory, deeper than is searched, or, for a link outside, in a directory that is
   * not searched at the start.
   */
  #isWhereNobodyLooks(end: string, fromSkipped: boolean): boolean {
    const isInGit = (at: string): boolean =>
      at !== '/' &&
      at !== '.' &&
      at !== this.#root &&
      (path.basename(at) === '.git' || this.#before.isRepository(at) || isInGit(path.dirname(at)))
    if (isInGit(end)) return true
    const inside = path.relative(this.#root, end)
    if (inside.startsWith('..')) return false
    const names = inside.split('/')
    return names.length >= bounds.maxDepth || (!fromSkipped && names.some((each) => skipped.has(each)))
  }

  /** Reports unfinished rebases and the like. They contain commands that git runs at the next `--continue`. */
  halfDoneRebases(): void {
    for (const directory of this.#before.paths()) {
      // Inert entries are gone by now, and had no such content.
      if (!existsSync(directory)) continue
      for (const each of directory === this.#outerGit ? [...todos, ...heads] : todos) {
        const file = `${directory}/${each}`
        const stat = lstatOrNull(file)
        if (stat !== null && stat.ctimeMs >= this.#since) this.#found.modified.push(path.relative(this.#root, file))
      }
    }
  }

  /** Removes anything that would run a changed file with another user's rights, and records the programs. */
  #withoutRights(entry: WalkEntry, stat: Stats, relative: string): void {
    const isSetId = (stat.mode & 0o6000) !== 0
    try {
      if (entry.kind === 'directory') {
        openEntry(entry)
        if (isSetId && stat.birthtimeMs >= this.#since) clearDirectorySetId(entry, this.#base, relative)
      } else if (entry.kind === 'file') {
        if ((stat.mode & 0o111) !== 0) this.executables.push({ path: joined(entry.names), inode: stat.ino })
        if (!isSetId) return
        clearSetId(entry)
        this.#found.runsLater.push({ path: relative, why: 'it was set-user-ID or set-group-ID and was changed; the bits were cleared' })
      }
    } catch {
      this.#found.unsearched.push(relative)
    }
  }

  /** Reports all packages of a directory in one line. */
  #changedPackages(directory: string): void {
    if (this.#found.modified.includes(directory)) return
    this.#found.modified.push(directory)
    this.#found.runsLater.push({ path: directory, why: 'programs and packages in it are run by others' })
  }
  /** Returns true for an entry that would run later because of its name, regardless of its origin. */
  #isProtected(entry: WalkEntry, relative: string): boolean {
    const kind = entry.kind === 'directory' ? 'directory' : 'file'
    return path.basename(relative) === '.git' || this.#rules.protectedAt(relative, kind) !== null
  }
}

/** Adds names to a list that may have them already, because an entry at the root is seen twice. Two names can be the same as text. */
function addOnce(list: (readonly Buffer[])[], names: readonly Buffer[]): void {
  if (names.length > 1 || !list.some((each) => joined(each).equals(joined(names)))) list.push(names)
}
