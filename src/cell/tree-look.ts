import { closeSync, fchmodSync, fstatSync, lstatSync, renameSync, type Stats } from 'node:fs'
import path from 'node:path'
import { type WalkEntry, WalkTooLarge, walk } from '../files/walk.ts'
import type { SeenFile } from './file-capabilities.ts'
import { gitDirectoryNames, looksLikeGitDirectory } from './git-directory-names.ts'
import { openBelow } from './open-below.ts'
import { skipped } from './project-facts.ts'
import type { KnownEntry } from './registry.ts'
import type { ChangeSummary } from './report.ts'
import { runLater } from './run-later.ts'

/** Runs `act` unless another cell stands on this path just now, and lets none come to stand on it meanwhile. */
export type UnlessOthers = (file: string, act: () => void) => void

export type Summary = { -readonly [K in keyof ChangeSummary]: ChangeSummary[K] extends readonly (infer T)[] ? T[] : ChangeSummary[K] }

/** What was true when the cell started. */
export interface CellStart {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** What was there before and runs later, or stood there for the cell. */
  readonly known: readonly KnownEntry[]
  /** Where configurations of git sent it to. */
  readonly configured?: readonly string[]
}

/** What a walk may look at. Each level holds two descriptors. */
export const bounds = { maxEntries: 500_000, maxDepth: 190 }

const byItself = new Set(['.git', ...runLater.filter((each) => each.anyDepth).map((each) => each.path)])
const atRoot = new Set(['.git', ...runLater.map((each) => each.path)])

/** Looks at what a cell left in a tree, entry by entry: notes what changed, and moves aside what is new and would run later. */
export class TreeLook {
  readonly #root: string
  /** The root as it was opened. */
  readonly #base: string
  readonly #since: number
  readonly #known: ReadonlyMap<string, number>
  readonly #configured: ReadonlySet<string>
  /** The directories that these lie in. */
  readonly #above = new Set<string>()
  readonly #unlessOthers: UnlessOthers
  readonly #found: Summary
  /** Programs that the cell has made or changed. */
  readonly executables: SeenFile[] = []
  /** The parts of a git directory that were seen in a directory. */
  readonly #parts = new Map<string, Set<string>>()
  /** Directories that were moved aside and not yet searched. */
  readonly #aside: (readonly Buffer[])[] = []

  constructor(tree: { readonly root: string; readonly base: string }, start: CellStart, unlessOthers: UnlessOthers, found: Summary) {
    this.#root = tree.root
    this.#base = tree.base
    this.#since = start.startedAt
    this.#known = new Map(start.known)
    this.#configured = new Set(start.configured)
    for (const each of this.#configured)
      for (let above = path.dirname(each); above.startsWith(`${tree.root}/`); above = path.dirname(above)) this.#above.add(above)
    this.#unlessOthers = unlessOthers
    this.#found = found
  }

  at(entry: WalkEntry): void {
    const relative = shown(entry.names)
    const stat = this.#statOf(entry, relative)
    if (stat === null) return
    const name = String(entry.names.at(-1) ?? '')
    const skippedAt = entry.names.slice(0, -1).findIndex((each) => skipped.has(String(each)))
    const inSkipped = skippedAt >= 0
    if ((entry.names.length > 1 ? byItself : atRoot).has(name)) {
      entry.skip()
      if (this.#known.get(path.join(this.#root, relative)) === stat.ino) return
      // Whatever its times say: what was moved here from where nobody looked is old. Where nobody looks, times tell.
      if (!inSkipped || (name === '.git' && this.#newest(relative, stat.ctimeMs) >= this.#since)) this.#moveAside(entry, name)
      return
    }
    if (this.#isWhereGitIsSent(entry, path.join(this.#root, relative), stat)) {
      entry.skip()
      this.#moveAside(entry, name)
      return
    }
    if (!inSkipped) this.#part(entry, name)
    if (stat.ctimeMs < this.#since) return
    this.#withoutRights(entry, stat, relative)
    if (entry.kind === 'directory') return
    if (inSkipped) this.#changedPackages(shown(entry.names.slice(0, skippedAt + 1)))
    else if (stat.birthtimeMs >= this.#since) this.#found.created.push(relative)
    else this.#found.modified.push(relative)
  }

  /**
   * Searches what was moved aside, which is as live under its new name for who enters it: a `.git` is a bare repository there. Nothing in
   * it was there before, so nothing is known or skipped; the HEAD of every repository in it goes, and what else would run later.
   */
  async inAside(): Promise<void> {
    let room = bounds.maxEntries
    for (let names = this.#aside.pop(); names !== undefined; names = this.#aside.pop()) {
      const prefix = names
      const place = shown(prefix)
      let directory: number
      try {
        directory = openBelow(this.#base, prefix)
      } catch {
        this.#found.unsearched.push(place)
        continue
      }
      try {
        const here = process.platform === 'linux' ? `/proc/self/fd/${directory}` : path.join(this.#root, place)
        // Whatever else it holds, and how much: without this one git does not take it for a repository.
        const inHere = (each: Buffer): string => path.join(here, String(each))
        if (lstatOrNull(`${here}/HEAD`) !== null) this.#rename((from, to) => renameNew(inHere(from), inHere(to)), prefix, 'HEAD')
        for await (const each of walk(`${here}/.`, { ...bounds, maxEntries: Math.max(1, room) })) {
          room--
          this.#atAside({ ...each, names: [...prefix, ...each.names] })
        }
      } catch (error) {
        this.#found.truncated ||= error instanceof WalkTooLarge
        this.#found.unsearched.push(place)
      } finally {
        closeSync(directory)
      }
    }
  }

  #atAside(entry: WalkEntry): void {
    const relative = shown(entry.names)
    const stat = this.#statOf(entry, relative)
    if (stat === null) return
    const name = String(entry.names.at(-1) ?? '')
    if (byItself.has(name)) {
      entry.skip()
      this.#moveAside(entry, name)
      return
    }
    this.#part(entry, name)
    if (stat.ctimeMs >= this.#since) this.#withoutRights(entry, stat, relative)
  }

  /** Null where there is nothing more to look at. */
  #statOf(entry: WalkEntry, relative: string): Stats | null {
    if (entry.notEntered === undefined) {
      try {
        return entry.lstat()
      } catch {
        // Named below.
      }
    } else this.#found.truncated = true
    this.#found.unsearched.push(relative)
    return null
  }

  /** A directory that git takes for a repository: without its HEAD it is none. */
  #part(entry: WalkEntry, name: string): void {
    if (!gitDirectoryNames.has(name)) return
    const around = entry.names.slice(0, -1)
    // As bytes: two names that are not UTF-8 look the same as text.
    const key = joined(around).toString('latin1')
    const parts = this.#parts.get(key) ?? new Set()
    this.#parts.set(key, parts.add(name))
    if (looksLikeGitDirectory(parts) && !this.#isKnownRepository(path.join(this.#root, shown(around)))) this.#moveAside(entry, 'HEAD')
  }

  /** What newly stands where a configuration sends git to, or is a link on the way there. */
  #isWhereGitIsSent(entry: WalkEntry, absolute: string, stat: Stats): boolean {
    if (this.#known.get(absolute) === stat.ino) return false
    return this.#configured.has(absolute) || (this.#above.has(absolute) && entry.kind === 'symlink')
  }

  /** One that was protected in the cell: its config, or what says where that is, stands as it did. */
  #isKnownRepository(absolute: string): boolean {
    return this.#known.has(absolute) && ['config', 'commondir'].some((each) => this.#known.has(path.join(absolute, each)))
  }

  /** A rebase or the like left half done holds commands that git runs at the next `--continue`. */
  halfDoneRebases(): void {
    for (const [directory] of this.#known) {
      for (const each of ['rebase-merge/git-rebase-todo', 'rebase-apply/git-rebase-todo', 'sequencer/todo']) {
        const stat = lstatOrNull(path.join(directory, each))
        if (stat !== null && stat.ctimeMs >= this.#since) this.#found.modified.push(path.relative(this.#root, path.join(directory, each)))
      }
    }
  }

  /** Takes away what would give whoever runs a changed file another's rights, and notes the programs. */
  #withoutRights(entry: WalkEntry, stat: Stats, relative: string): void {
    if (entry.kind === 'directory') {
      this.#open(entry)
      if ((stat.mode & 0o6000) !== 0 && stat.birthtimeMs >= this.#since) this.#clearDirectory(entry, relative)
      return
    }
    if (entry.kind !== 'file') return
    if ((stat.mode & 0o6000) !== 0) this.#clearSetId(entry, relative)
    if ((stat.mode & 0o111) !== 0) this.executables.push({ path: joined(entry.names), inode: stat.ino })
  }

  /** What the cell closed would not be entered, or nothing in it could be moved aside, by a user who is not root. */
  #open(entry: WalkEntry): void {
    try {
      entry.openToOwner()
    } catch {
      // Where it matters the walk says so.
    }
  }

  /** Written to through a mapping, a file keeps its set-user-ID bit (inode(7)), and would run with its owner's rights. */
  #clearSetId(entry: WalkEntry, relative: string): void {
    try {
      const descriptor = entry.open()
      try {
        const { mode } = fstatSync(descriptor)
        fchmodSync(descriptor, mode & 0o1777)
      } finally {
        closeSync(descriptor)
      }
      this.#found.runsLater.push({ path: relative, why: 'it was set-user-ID or set-group-ID and was changed; the bits were cleared' })
    } catch {
      this.#found.unsearched.push(relative)
    }
  }

  /** A new directory has the set-group-ID bit from the one that it is in (mkdir(2)), or not rightly. */
  #clearDirectory(entry: WalkEntry, relative: string): void {
    const around = lstatOrNull(`${this.#base}/${path.posix.dirname(relative)}`)
    const inherited = around === null ? 0 : around.mode & 0o2000
    try {
      const descriptor = entry.open()
      try {
        const { mode } = fstatSync(descriptor)
        if ((mode & 0o6000) !== inherited) fchmodSync(descriptor, (mode & 0o1777) | (mode & inherited))
      } finally {
        closeSync(descriptor)
      }
    } catch {
      this.#found.unsearched.push(relative)
    }
  }

  /** One line for all packages of a directory. */
  #changedPackages(directory: string): void {
    if (this.#found.modified.includes(directory)) return
    this.#found.modified.push(directory)
    this.#found.runsLater.push({ path: directory, why: 'programs and packages in it are run by others' })
  }

  /** The later of a time and the change time of a repository's config, or of the file itself. */
  #newest(relative: string, time: number): number {
    return Math.max(time, lstatOrNull(`${this.#base}/${relative}/config`)?.ctimeMs ?? 0)
  }

  /** Moves aside the entry itself, or another one beside it. */
  #moveAside(entry: WalkEntry, name: string): void {
    const around = entry.names.slice(0, -1)
    this.#unlessOthers(path.join(this.#root, shown(around), name), () => {
      if (entry.kind === 'directory' && name === String(entry.names.at(-1))) this.#open(entry)
      const to = this.#rename(entry.rename, around, name)
      if (to !== null && name === String(entry.names.at(-1)) && entry.kind !== 'file' && entry.kind !== 'symlink')
        this.#aside.push([...around, Buffer.from(to)])
    })
  }

  /** @returns the new name, where there is one */
  #rename(rename: WalkEntry['rename'], around: readonly Buffer[], name: string): string | null {
    const at = (file: string): string => shown([...around, Buffer.from(file)])
    for (let n = 1; n < 100; n++) {
      const to = n === 1 ? `${name}.quarantined` : `${name}.quarantined-${n}`
      try {
        rename(Buffer.from(name), Buffer.from(to))
        this.#found.quarantined.push({ path: at(name), movedTo: at(to) })
        return to
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'EEXIST') continue
        // Another cell took away what it stood on.
        if (code === 'ENOENT') return null
        break
      }
    }
    this.#found.unsearched.push(at(name))
    return null
  }
}

/** Names as one path, as the file system holds them. */
function joined(names: readonly Buffer[]): Buffer {
  return Buffer.concat(names.flatMap((each, at) => (at === 0 ? [each] : [Buffer.from('/'), each])))
}

/** Names as one path, for people and to compare with. */
function shown(names: readonly Buffer[]): string {
  return names.map(String).join('/')
}

/** A name that is there already is never replaced. */
function renameNew(from: string, to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
  renameSync(from, to)
}

function lstatOrNull(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
