import { closeSync, constants, existsSync, fchmodSync, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import path from 'node:path'
import { type WalkEntry, WalkTooLarge, walk } from '../files/walk.ts'
import { clearCapabilities, type SeenFile } from './file-capabilities.ts'
import { skipped } from './project-facts.ts'
import type { KnownEntry } from './registry.ts'
import type { ChangeSummary } from './report.ts'
import { runLater, whyRunsLater } from './run-later.ts'

const mostEntries = 500_000
const mostListed = 1000
/** Each level holds two descriptors. */
const mostDepth = 190

/** Runs `act` unless another cell stands on this path just now, and lets none come to stand on it meanwhile. */
export type UnlessOthers = (file: string, act: () => void) => void

type Summary = { -readonly [K in keyof ChangeSummary]: ChangeSummary[K] extends readonly (infer T)[] ? T[] : ChangeSummary[K] }

/**
 * What changed in a tree since `since` (milliseconds since the epoch), by the change times of the files, which a
 * program cannot set (inode(7), ctime). Deletions leave no trace of this kind. Files that run later and were newly
 * made below the root, where no mount can keep them from coming to be, are moved aside on the way, through the
 * descriptor of their directory, so that nobody leads the move elsewhere; `known` is what was there before; what stands there for
 * other cells is let be.
 * Never rejects for what is in the tree.
 */
export async function changesSince(
  root: string,
  since: number,
  known: readonly KnownEntry[],
  unlessOthers: UnlessOthers,
): Promise<ChangeSummary> {
  const found: Summary = { created: [], modified: [], runsLater: [], quarantined: [], unsearched: [], truncated: false }
  if (!existsSync(root)) return found
  let directory: number
  try {
    directory = openTree(root)
  } catch {
    return { ...found, unsearched: ['.'], truncated: true }
  }
  try {
    const base = process.platform === 'linux' ? `/proc/self/fd/${directory}/.` : root
    const look = new Look(root, base, since, known, unlessOthers, found)
    try {
      for await (const entry of walk(base, { maxEntries: mostEntries, maxDepth: mostDepth })) look.at(entry)
    } catch (error) {
      found.truncated = true
      if (!(error instanceof WalkTooLarge)) found.unsearched.push('.')
    }
    look.halfDoneRebases()
    const { cleared, kept } = clearCapabilities(base, look.executables)
    for (const each of cleared) found.runsLater.push({ path: each, why: 'it had file capabilities and was changed; they were taken away' })
    for (const each of kept)
      found.runsLater.push({ path: each, why: 'it has file capabilities and was changed; take them away: setcap -r' })
  } finally {
    closeSync(directory)
  }
  for (const each of [...found.created, ...found.modified]) {
    const why = whyRunsLater(each)
    if (why !== null) found.runsLater.push({ path: each, why })
  }
  found.truncated ||= [found.created, found.modified].some((each) => each.length > mostListed)
  for (const each of ['created', 'modified', 'unsearched'] as const) found[each] = found[each].sort().slice(0, mostListed)
  found.runsLater = found.runsLater.slice(0, mostListed)
  return found
}

/** The directory that was planned, not one that a link leads to now. */
function openTree(root: string): number {
  const directory = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${directory}`) === root) return directory
  closeSync(directory)
  throw new Error(`${root} is not where it was`)
}

/** The same for all trees of a cell: paths of the first, the project, as they are, of the others in full. Null: there is none. */
export async function changesIn(
  trees: readonly string[],
  since: number,
  known: readonly KnownEntry[],
  unlessOthers: UnlessOthers,
): Promise<ChangeSummary | null> {
  const [project, ...others] = trees
  if (project === undefined) return null
  const all: Summary = { ...(await changesSince(project, since, known, unlessOthers)) } as Summary
  for (const tree of others) {
    const more = await changesSince(tree, since, known, unlessOthers)
    const full = (each: string): string => path.join(tree, each)
    all.created.push(...more.created.map(full))
    all.modified.push(...more.modified.map(full))
    all.unsearched.push(...more.unsearched.map(full))
    all.runsLater.push(...more.runsLater.map((each) => ({ ...each, path: full(each.path) })))
    all.quarantined.push(...more.quarantined.map((each) => ({ path: full(each.path), movedTo: full(each.movedTo) })))
    all.truncated ||= more.truncated
  }
  return all
}

const byItself = new Set(['.git', ...runLater.filter((each) => each.anyDepth).map((each) => each.path)])
const atRoot = new Set(['.git', ...runLater.map((each) => each.path)])
const gitParts = new Set(['HEAD', 'objects', 'refs'])

class Look {
  readonly #root: string
  /** The root as it was opened. */
  readonly #base: string
  readonly #since: number
  readonly #known: ReadonlyMap<string, number>
  readonly #unlessOthers: UnlessOthers
  readonly #found: Summary
  /** Programs that the cell has made or changed. */
  readonly executables: SeenFile[] = []
  /** The parts of a git directory that were seen in a directory. */
  readonly #parts = new Map<string, Set<string>>()

  constructor(root: string, base: string, since: number, known: readonly KnownEntry[], unlessOthers: UnlessOthers, found: Summary) {
    this.#root = root
    this.#base = base
    this.#since = since
    this.#known = new Map(known)
    this.#unlessOthers = unlessOthers
    this.#found = found
  }

  at(entry: WalkEntry): void {
    const relative = entry.names.map(String).join('/')
    if (entry.notEntered !== undefined) {
      this.#found.unsearched.push(relative)
      this.#found.truncated = true
      return
    }
    let stat: ReturnType<WalkEntry['lstat']>
    try {
      stat = entry.lstat()
    } catch {
      this.#found.unsearched.push(relative)
      return
    }
    if (stat === null) return
    const name = String(entry.names.at(-1) ?? '')
    const skippedAt = entry.names.slice(0, -1).findIndex((each) => skipped.has(String(each)))
    const inSkipped = skippedAt >= 0
    if ((entry.names.length > 1 ? byItself : atRoot).has(name)) {
      entry.skip()
      const absolute = path.join(this.#root, relative)
      if (this.#known.get(absolute) === stat.ino) return
      // Whatever its times say: what was moved here from where nobody looked is old. Where nobody looks, times tell.
      if (!inSkipped || (name === '.git' && this.#newest(relative, stat.ctimeMs) >= this.#since)) this.#moveAside(entry, name)
      return
    }
    if (gitParts.has(name) && !inSkipped) this.#part(entry, path.posix.dirname(relative), name)
    if (stat.ctimeMs < this.#since) return
    if (entry.kind === 'directory') {
      if ((stat.mode & 0o6000) !== 0 && stat.birthtimeMs >= this.#since) this.#clearDirectory(entry, relative)
      return
    }
    if ((stat.mode & 0o6000) !== 0 && entry.kind === 'file') this.#clearSetId(entry, relative)
    if ((stat.mode & 0o111) !== 0 && entry.kind === 'file') this.executables.push({ path: relative, inode: stat.ino })
    if (inSkipped) {
      this.#changedPackages(
        entry.names
          .slice(0, skippedAt + 1)
          .map(String)
          .join('/'),
      )
      return
    }
    if (stat.birthtimeMs >= this.#since) this.#found.created.push(relative)
    else this.#found.modified.push(relative)
  }

  /** A directory that git takes for a repository: without its HEAD it is none. */
  #part(entry: WalkEntry, directory: string, name: string): void {
    const parts = this.#parts.get(directory) ?? new Set()
    this.#parts.set(directory, parts.add(name))
    const absolute = directory === '.' ? this.#root : path.join(this.#root, directory)
    if (parts.size === gitParts.size && !this.#isKnownRepository(absolute)) this.#moveAside(entry, 'HEAD')
  }

  /** One that was protected in the cell: its config stands as it did. */
  #isKnownRepository(absolute: string): boolean {
    return this.#known.has(path.join(absolute, 'config')) && this.#known.has(absolute)
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

  #moveAside(entry: WalkEntry, name: string): void {
    const file = path.join(this.#root, ...entry.names.slice(0, -1).map(String), name)
    this.#unlessOthers(file, () => this.#rename(entry, name))
  }

  #rename(entry: WalkEntry, name: string): void {
    const directory = entry.names.slice(0, -1).map(String).join('/')
    const at = (file: string): string => (directory === '' ? file : `${directory}/${file}`)
    const from = Buffer.from(name)
    for (let n = 1; n < 100; n++) {
      const to = n === 1 ? `${name}.quarantined` : `${name}.quarantined-${n}`
      try {
        entry.rename(from, Buffer.from(to))
        this.#found.quarantined.push({ path: at(name), movedTo: at(to) })
        return
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'EEXIST') continue
        // Another cell took away what it stood on.
        if (code === 'ENOENT') return
        break
      }
    }
    this.#found.unsearched.push(at(name))
  }
}

function lstatOrNull(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
