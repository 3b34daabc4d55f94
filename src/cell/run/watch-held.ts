import { lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readRegularBytes } from '../../files/read-regular.ts'
import { type IndexEntry, withoutSkipBits } from '../../git/index-file.ts'
import { indexOf, objectId } from '../plan/held/held-repository.ts'
import type { HeldStart } from '../trees/held/held-start.ts'
import { ObjectReader } from '../trees/held/objects.ts'
import { rewriteIndex } from '../trees/held/rewrite-index.ts'
import { OwnRepository } from '../trees/own-repository.ts'
import { GitWrites } from './git-writes.ts'

const everyMs = 200
const mostBytes = 16 * 1024 ** 2
/** Maximum number of moves of HEAD that are looked at. */
const mostCommits = 20

/**
 * Shows git the held files that somebody changes on the host while a cell runs: git skips a held file once the cell has checked out a branch
 * (git-update-index(1), `--skip-worktree`), so it would neither list nor commit the change. Checks the files several times a second. `scratch`:
 * a directory of Paddock's own. Returns a function that ends the watch.
 */
export function watchHeld(starts: readonly HeldStart[], scratch: string): () => void {
  const watched = starts.filter((each) => each.clean.length > 0).map((each, at) => new HeldFiles(each, path.join(scratch, `watched-${at}`)))
  if (watched.length === 0) return () => undefined
  const ended = new AbortController()
  void (async () => {
    while (!ended.signal.aborted) {
      for (const each of watched) await each.check()
      await setTimeout(everyMs, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  })()
  return () => {
    ended.abort()
    for (const each of watched) each.close()
  }
}

/** The held files of one work tree. */
class HeldFiles {
  readonly #start: HeldStart
  readonly #marks = new Map<string, string>()
  /** IDs of the contents that git knows to be unmodified, by path: those of the start, or that somebody checked out or committed since. */
  readonly #clean: Map<string, string>
  /** IDs of the contents of changed files, by path. Empty for a file that is gone. */
  readonly #changed = new Map<string, string>()
  /** The size of the log of HEAD when a change was found. */
  readonly #since = new Map<string, number>()
  readonly #objects: ObjectReader
  readonly #gitWrites: GitWrites
  #index = ''

  constructor(start: HeldStart, scratch: string) {
    this.#start = start
    this.#objects = new ObjectReader(new OwnRepository(scratch, start.common, start.idBytes === 32))
    this.#clean = new Map(start.clean.map(({ path: file, id }) => [file, id]))
    this.#gitWrites = new GitWrites(start.git, start.workTree, this.#clean.keys(), (written) => this.#atRelease(written))
  }

  close(): void {
    this.#gitWrites.close()
  }

  async check(): Promise<void> {
    const { git, idBytes, workTree } = this.#start
    this.#gitWrites.watch()
    for (const [file, id] of this.#clean) {
      const mark = markOf(path.join(workTree, file))
      const isSame = mark === this.#marks.get(file)
      this.#marks.set(file, mark)
      // A program that replaces a file may remove it first, so it counts as gone only if the next check does not find it either.
      if (mark === '' ? !isSame || this.#changed.has(file) : isSame) continue
      const now = this.#idOf(file)
      if (now === id) this.#changed.delete(file)
      else if (this.#changed.get(file) !== now) {
        this.#changed.set(file, now)
        this.#since.set(file, sizeOf(this.#log))
      }
      this.#index = ''
    }
    if (this.#changed.size === 0) return
    await this.#gitWrites.reported()
    const index = markOf(path.join(git, 'index'))
    if (index === this.#index) return
    const isHidden = (entry: IndexEntry): boolean => {
      const now = this.#changed.get(entry.path)
      return entry.skipsWorkTree && now !== undefined && now !== entry.id
    }
    const entries = indexOf(git, idBytes) ?? []
    this.#settle(entries)
    for (const each of entries.filter(isHidden)) {
      const now = this.#changed.get(each.path)
      if (now !== undefined && (await this.#wasCheckedOut(each.path, now).catch(() => false))) this.#settleOne(each.path, now)
    }
    if (!entries.some(isHidden)) this.#index = index
    // If another git holds the lock, the next check tries again.
    else await rewriteIndex(git, 0, (bytes) => withoutSkipBits(bytes, idBytes, isHidden)).catch(() => false)
  }

  /** Takes contents that the index has for unmodified: after a checkout or a commit, git in the cell may skip the file again. */
  #settle(entries: readonly IndexEntry[]): void {
    const ids = new Map(entries.map(({ path: file, id, stage }) => [file, stage === 0 ? id : null]))
    for (const [file, now] of this.#changed) {
      if ((ids.has(file) ? ids.get(file) : '') === now) this.#settleOne(file, now)
    }
  }

  /**
   * Takes what git on the host has just written, removed or committed for unmodified: git in the cell may check out another version at once.
   * (It writes no held file itself.) While it has the lock, the user may change a file too: the index differs from that.
   */
  #atRelease(written: readonly string[]): (isKept: boolean) => void {
    if (written.length === 0 && this.#changed.size === 0) return () => undefined
    const entries = indexOf(this.#start.git, this.#start.idBytes) ?? []
    const contents = written.map((each) => ({ file: each, now: this.#idOf(each) }))
    this.#settle(entries)
    const ids = new Map(entries.map((each) => [each.path, each.id]))
    return (isKept) => {
      for (const { file, now } of contents) if (!isKept || (ids.get(file) ?? '') === now) this.#settleOne(file, now)
    }
  }

  /**
   * Returns true if HEAD was at a commit with this content (or without this file) since the change was found. Git outside a cell, too, would
   * take it for unmodified then, and replace it at the next checkout.
   */
  async #wasCheckedOut(file: string, now: string): Promise<boolean> {
    const log = readRegularBytes(this.#log, mostBytes)?.toString('latin1', this.#since.get(file)) ?? ''
    const commits = log.split('\n').flatMap((line) => /^[0-9a-f]+ ([0-9a-f]+) /.exec(line)?.[1] ?? [])
    for (const each of new Set(commits.slice(-mostCommits))) if ((await this.#idIn(each, file)) === now) return true
    return false
  }

  /** Returns the ID of a file in a commit, or nothing if it has no such file. Null: unknown. */
  async #idIn(commit: string, file: string): Promise<string | null> {
    const read = async (id: string) => (await this.#objects.read([id])).get(id)
    const top = await read(commit)
    let id = top?.type === 'commit' ? top.tree : ''
    for (const name of file.split('/')) {
      const tree = await read(id)
      if (tree?.type !== 'tree') return null
      id = tree.entries.find((each) => each.name === name)?.id ?? ''
      if (id === '') return ''
    }
    return id
  }

  get #log(): string {
    return path.join(this.#start.git, 'logs/HEAD')
  }

  #settleOne(file: string, now: string): void {
    this.#clean.set(file, now)
    this.#changed.delete(file)
  }

  /** Returns the ID of the content of a file, or nothing if it is gone. */
  #idOf(file: string): string {
    const bytes = contentOf(path.join(this.#start.workTree, file))
    return bytes === null ? '' : objectId('blob', bytes, this.#start.idBytes * 2)
  }
}

/** Returns what changes when a file is written or replaced. Empty if there is none. */
function markOf(file: string): string {
  try {
    const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.ctimeNs}`
  } catch {
    return ''
  }
}

function sizeOf(file: string): number {
  try {
    return lstatSync(file).size
  } catch {
    return 0
  }
}

function contentOf(file: string): Buffer | null {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file, 'buffer') : readRegularBytes(file, mostBytes)
  } catch {
    return null
  }
}
