import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { type WalkEntry, WalkTooLarge, walk } from '../files/walk.ts'
import { skipped } from './project-facts.ts'
import type { ChangeSummary } from './report.ts'
import { runLater, whyRunsLater } from './run-later.ts'

const mostEntries = 500_000
const mostListed = 1000
/** Each level holds two descriptors. */
const mostDepth = 190

type Summary = { -readonly [K in keyof ChangeSummary]: ChangeSummary[K] extends readonly (infer T)[] ? T[] : ChangeSummary[K] }

/**
 * What changed in a tree since `since` (milliseconds since the epoch), by the change times of the files, which a
 * program cannot set (inode(7), ctime). Deletions leave no trace of this kind. Files that run later and were newly
 * made below the root, where no mount can keep them from coming to be, are moved aside on the way, through the
 * descriptor of their directory, so that nobody leads the move elsewhere; `known` are the absolute paths that were there before.
 * Never rejects for what is in the tree.
 */
export async function changesSince(root: string, since: number, known: readonly string[]): Promise<ChangeSummary> {
  const found: Summary = { created: [], modified: [], runsLater: [], quarantined: [], unsearched: [], truncated: false }
  if (!existsSync(root)) return found
  const look = new Look(root, since, new Set(known), found)
  try {
    for await (const entry of walk(root, { maxEntries: mostEntries, maxDepth: mostDepth })) look.at(entry)
  } catch (error) {
    found.truncated = true
    if (!(error instanceof WalkTooLarge)) found.unsearched.push('.')
  }
  if (look.rebase()) found.modified.push('.git/rebase-merge/git-rebase-todo')
  for (const each of [...found.created, ...found.modified]) {
    const why = whyRunsLater(each)
    if (why !== null) found.runsLater.push({ path: each, why })
  }
  found.truncated ||= [found.created, found.modified].some((each) => each.length > mostListed)
  for (const each of ['created', 'modified', 'unsearched'] as const) found[each] = found[each].sort().slice(0, mostListed)
  found.runsLater = found.runsLater.slice(0, mostListed)
  return found
}

/** The same for all trees of a cell: paths of the first, the project, as they are, of the others in full. Null: there is none. */
export async function changesIn(trees: readonly string[], since: number, known: readonly string[]): Promise<ChangeSummary | null> {
  const [project, ...others] = trees
  if (project === undefined) return null
  const all: Summary = { ...(await changesSince(project, since, known)) } as Summary
  for (const tree of others) {
    const more = await changesSince(tree, since, known)
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
const gitParts = new Set(['HEAD', 'objects', 'refs'])

class Look {
  readonly #root: string
  readonly #since: number
  readonly #known: ReadonlySet<string>
  readonly #found: Summary
  /** The parts of a git directory that were seen in a directory. */
  readonly #parts = new Map<string, Set<string>>()

  constructor(root: string, since: number, known: ReadonlySet<string>, found: Summary) {
    this.#root = root
    this.#since = since
    this.#known = known
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
    const inSkipped = entry.names.slice(0, -1).some((each) => skipped.has(String(each)))
    if (entry.names.length > 1 && byItself.has(name)) {
      entry.skip()
      if (this.#known.has(path.join(this.#root, relative))) return
      // Whatever its times say: what was moved here from where nobody looked is old. Where nobody looks, times tell.
      if (!inSkipped || (name === '.git' && this.#newest(relative, stat.ctimeMs) >= this.#since)) this.#moveAside(entry, name)
      return
    }
    if (gitParts.has(name) && !inSkipped) this.#part(entry, path.posix.dirname(relative), name)
    if (entry.kind === 'directory') {
      if (relative === '.git') entry.skip()
      return
    }
    if (stat.ctimeMs < this.#since || inSkipped) return
    if (stat.birthtimeMs >= this.#since) this.#found.created.push(relative)
    else this.#found.modified.push(relative)
  }

  /** A directory that git takes for a repository: without its HEAD it is none. */
  #part(entry: WalkEntry, directory: string, name: string): void {
    const parts = this.#parts.get(directory) ?? new Set()
    this.#parts.set(directory, parts.add(name))
    const absolute = directory === '.' ? this.#root : path.join(this.#root, directory)
    if (parts.size === gitParts.size && !this.#known.has(absolute)) this.#moveAside(entry, 'HEAD')
  }

  /** A rebase left half done holds commands that git runs at the next `--continue`. */
  rebase(): boolean {
    return this.#newest('.git/rebase-merge/git-rebase-todo', 0) >= this.#since && this.#since > 0
  }

  /** The later of a time and the change time of a repository's config, or of the file itself. */
  #newest(relative: string, time: number): number {
    const times = [relative, `${relative}/config`].map((each) => {
      try {
        return lstatSync(path.join(this.#root, each), { throwIfNoEntry: false })?.ctimeMs ?? 0
      } catch {
        return 0
      }
    })
    return Math.max(time, ...times)
  }

  #moveAside(entry: WalkEntry, name: string): void {
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
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
        break
      }
    }
    this.#found.unsearched.push(at(name))
  }
}
