import { randomBytes } from 'node:crypto'
import { closeSync, constants, fchownSync, fstatSync, openSync, readSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openBelow } from '../../../files/open-below.ts'
import { readRegularSync } from '../../../files/read-regular.ts'
import { lstatOrNull, shown } from '../../../files/tree-names.ts'
import { type WalkEntry, walk } from '../../../files/walk.ts'
import { asideName } from '../../../git/config-put-aside.ts'
import { readGitConfig } from '../../../git/config-syntax.ts'
import { looksLikeGitDirectory } from '../../../git/directory-names.ts'
import { type Part, partAt } from '../../plan/laundered/git-parts.ts'
import { hashBytesOf, launderedConfig } from '../../plan/laundered/laundered-config.ts'
import { openEntry } from '../entry-rights.ts'
import type { Quarantine } from '../quarantine-files.ts'
import { areIds, arePackedRefs, isPlainIndex, isRef } from './contents.ts'

type Names = readonly Buffer[]

interface Decision {
  /** Entries to move to the top of the git directory, outermost only. */
  readonly removed: Pick<WalkEntry, 'names' | 'kind'>[]
  readonly modules: Names[]
  readonly worktrees: Names[]
}

const bounds = { maxEntries: 200_000, maxDepth: 100 }
const mostBytes: Readonly<Partial<Record<Part, number>>> = { index: 256 * 1024 ** 2, 'packed-refs': 64 * 1024 ** 2 }
/** Names that git gives to files at the top of a git directory. Other names mean that a directory is not only a git directory. */
const ofGit = /^(?:[A-Z_]+|hooks|lfs|rr-cache|sequencer|rebase-\w+|gc\.\w+|(?:config|packed-refs|index|HEAD)\.\w+|commondir)$/

/** Rewrites git directories of one tree that a cell made to a form that can run nothing and leads git nowhere. */
export class Laundry {
  readonly #root: string
  readonly #base: string
  readonly #quarantine: Quarantine
  readonly #isOwnPath: (file: string) => boolean
  readonly #seen: (entry: WalkEntry) => void
  /** The laundered repositories, each with the entries and settings that were removed. */
  readonly done: { path: string; removed: string[] }[] = []
  readonly #trees: readonly string[]
  readonly #gitFiles: Map<string, string>
  readonly #laundered: ReadonlySet<string>

  /**
   * @param cell the trees in which a work tree may be, the `.git` file of each laundered git directory that has one, and the git directories
   *   that were in laundered form at the start
   * @param isOwnPath returns true for the absolute path of a repository that the cell could see
   * @param seen called with each kept file and directory
   */
  constructor(
    tree: { readonly root: string; readonly base: string },
    cell: { readonly trees: readonly string[]; readonly gitFiles: Map<string, string>; readonly laundered: ReadonlySet<string> },
    quarantine: Quarantine,
    isOwnPath: (file: string) => boolean,
    seen: (entry: WalkEntry) => void,
  ) {
    this.#root = tree.root
    this.#base = tree.base
    this.#trees = cell.trees
    this.#gitFiles = cell.gitFiles
    this.#laundered = cell.laundered
    this.#quarantine = quarantine
    this.#isOwnPath = isOwnPath
    this.#seen = seen
  }

  /** Launders a repository with all of its submodules and work trees. Returns false, without a change, if that is impossible. */
  async repository(names: Names): Promise<boolean> {
    const removed: string[] = []
    if (!(await this.#launder(names, names, null, removed))) return false
    if (removed.length > 0 || !this.#laundered.has(this.#absolute(names))) this.done.push({ path: shown(names), removed })
    return true
  }

  /**
   * Launders the directory of a new linked work tree in a repository that existed before. Returns false, without a change, if that is
   * impossible, or if the work tree does not point back.
   */
  async worktree(names: Names): Promise<boolean> {
    const removed: string[] = []
    const common = names.slice(0, -2)
    // The config of a repository that existed before is a link to one beside it.
    const hashBytes = hashBytesOf(this.#read(common, 'config') ?? this.#read(common, `${asideName}/config`) ?? '')
    if (!(await this.#launderWorktree(names, names, hashBytes, removed))) return false
    this.done.push({ path: shown(names), removed })
    return true
  }

  /**
   * Launders the git directory of a new submodule in a repository that existed before. Returns false, without a change, if that is
   * impossible, or if the work tree does not point back.
   */
  async submodule(names: Names): Promise<boolean> {
    const removed: string[] = []
    const workTree = this.#workTreeOf(names)
    if (workTree === null || !(await this.#launder(names, names, workTree, removed))) return false
    this.done.push({ path: shown(names), removed })
    return true
  }

  /** Returns true for a `.git` file that leads to a laundered directory, which also leads to this file. */
  isGitFile(names: Names): boolean {
    const file = this.#absolute(names)
    const leadsTo = this.#gitDirectoryOf(file)
    return leadsTo !== null && this.#gitFiles.get(leadsTo) === file
  }

  async #launder(names: Names, top: Names, workTree: string | null, removed: string[]): Promise<boolean> {
    const config = this.#configOf(names, workTree)
    if (config === null) return false
    const hashBytes = hashBytesOf(config.text)
    const decision = await this.#decide(names, false, hashBytes)
    if (decision === null) return false
    this.#remove(decision.removed, names, top, removed)
    this.#write(names, top, config.text, config.removed.length > 0)
    removed.push(...config.removed.map((each) => `${this.#in(top, [...names, Buffer.from('config')])}: ${each}`))
    for (const each of decision.modules) {
      const leadsTo = this.#workTreeOf(each)
      if (leadsTo === null || !(await this.#launder(each, top, leadsTo, removed)))
        this.#remove([{ names: each, kind: 'directory' }], top, top, removed)
    }
    for (const each of decision.worktrees)
      if (!(await this.#launderWorktree(each, top, hashBytes, removed)))
        this.#remove([{ names: each, kind: 'directory' }], top, top, removed)
    return true
  }

  async #launderWorktree(names: Names, top: Names, hashBytes: number, removed: string[]): Promise<boolean> {
    if (this.#read(names, 'commondir')?.trim() !== '../..') return false
    const file = path.resolve(this.#absolute(names), this.#read(names, 'gitdir')?.replace(/\n$/, '') || '.')
    if (path.basename(file) !== '.git' || this.#gitDirectoryOf(file) !== this.#absolute(names)) return false
    const decision = await this.#decide(names, true, hashBytes)
    if (decision === null || decision.modules.length > 0) return false
    this.#remove(decision.removed, names, top, removed)
    this.#gitFiles.set(this.#absolute(names), file)
    return true
  }

  /** Returns what must be changed in a git directory; null if it cannot be laundered. */
  async #decide(names: Names, isWorktree: boolean, hashBytes: number): Promise<Decision | null> {
    const decision: Decision = { removed: [], modules: [], worktrees: [] }
    const present = new Set<string>()
    const isInGit = names.some((each) => String(each) === '.git')
    try {
      return await this.#inDirectory(names, async (here) => {
        for await (const each of walk(`${here}/.`, bounds)) {
          if (each.notEntered !== undefined) return null
          const inside = each.names.map(String)
          const entry = { ...each, names: [...names, ...each.names] }
          const part = each.kind === 'file' || each.kind === 'directory' ? partAt(inside, each.kind, isWorktree) : 'remove'
          const isKept = part !== 'remove' && this.#isValid(each, part, hashBytes)
          if (!isKept && (part === 'head' || part === 'packed-refs')) return null
          if (!isKept) {
            if (!isInGit && inside.length === 1 && !ofGit.test(inside[0] ?? '')) return null
            each.skip()
            if (each.kind === 'directory') openEntry(each)
            decision.removed.push({ names: entry.names, kind: each.kind })
            continue
          }
          if (inside.length === 1) present.add(inside[0] ?? '')
          this.#seen(entry)
          if (part === 'worktree') decision.worktrees.push(entry.names)
          else if (part !== 'modules' || !this.looksLikeGit(entry.names)) continue
          else decision.modules.push(entry.names)
          each.skip()
        }
        return isWorktree || looksLikeGitDirectory(present) ? (present.has('HEAD') ? decision : null) : null
      })
    } catch {
      return null
    }
  }

  #isValid(entry: WalkEntry, part: Part, hashBytes: number): boolean {
    if (!['head', 'ref', 'packed-refs', 'ids', 'index', 'alternates'].includes(part)) return true
    const content = contentOf(entry, mostBytes[part] ?? 1024 ** 2)
    if (content === null) return false
    const text = content.toString('utf8')
    if (part === 'head' || part === 'ref') return isRef(text, part === 'head')
    if (part === 'packed-refs') return arePackedRefs(text)
    if (part === 'ids') return areIds(text)
    if (part === 'index') return isPlainIndex(content, hashBytes)
    return text
      .split('\n')
      .every((each) => each === '' || (path.normalize(each) === each && path.isAbsolute(each) && this.#isOwnPath(each)))
  }

  #configOf(names: Names, workTree: string | null): ReturnType<typeof launderedConfig> | null {
    const { entries } = readGitConfig(this.#read(names, 'config') ?? '')
    const last = (key: string): string => entries.findLast((each) => each.key === key)?.value ?? ''
    if (!/^[01]?$/.test(last('core.repositoryformatversion')) || !/^(?:files)?$/.test(last('extensions.refstorage'))) return null
    return launderedConfig(entries, { isOwnPath: this.#isOwnPath, workTree })
  }

  /** Replaces the config of a git directory. The old one is kept beside it if settings were removed. */
  #write(names: Names, top: Names, text: string, isKept: boolean): void {
    const old = { names: [...names, Buffer.from('config')], kind: 'file' } as const
    if (!isKept && this.#read(names, 'config') === text) return
    if (isKept || this.#read(names, 'config') === null) this.#remove([old], names, top, [])
    this.#inDirectory(names, (here, directory) => {
      const temporary = `${here}/config.${randomBytes(6).toString('hex')}`
      const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644)
      try {
        const { uid, gid } = fstatSync(directory)
        if (process.getuid?.() === 0) fchownSync(file, uid, gid)
        writeFileSync(file, text)
      } finally {
        closeSync(file)
      }
      renameSync(temporary, `${here}/config`)
    })
  }

  #remove(entries: Decision['removed'], into: Names, top: Names, removed: string[]): void {
    for (const each of entries) if (this.#quarantine.moveInto(into, this.#base, each, [])) removed.push(this.#in(top, each.names))
  }

  /**
   * Returns the work tree that a submodule's git directory names, as its config does; null if it is in no tree of the cell or does not point back
   * (git-submodule(1)).
   */
  #workTreeOf(names: Names): string | null {
    const git = this.#absolute(names)
    const { entries } = readGitConfig(this.#read(names, 'config') ?? '')
    const value = entries.findLast((each) => each.key === 'core.worktree')?.value ?? ''
    const workTree = path.resolve(git, value)
    if (value === '' || path.relative(git, workTree) !== value || !this.#isInTree(workTree)) return null
    const file = path.join(workTree, '.git')
    if (this.#gitDirectoryOf(file) !== git) return null
    this.#gitFiles.set(git, file)
    return value
  }

  #isInTree(directory: string): boolean {
    return this.#trees.some((each) => directory.startsWith(`${each}/`))
  }

  /** Returns the directory that a `.git` file names. Null if the path of the file contains a link. */
  #gitDirectoryOf(file: string): string | null {
    const directory = path.dirname(file)
    const inside = path.relative(this.#root, directory)
    let text: string | null = null
    try {
      if (inside.startsWith('..')) text = realpathSync(directory) === directory ? readRegularSync(file, 4096) : null
      else text = this.#read(inside === '' ? [] : inside.split('/').map((each) => Buffer.from(each)), '.git')
    } catch {
      return null
    }
    const named = /^gitdir: ([^\n]+)\n?$/.exec(text ?? '')?.[1]
    return named === undefined ? null : path.resolve(directory, named)
  }

  /** Returns true for a directory that git treats as a repository. */
  looksLikeGit(names: Names): boolean {
    return this.#inDirectory(names, (here) => looksLikeGitDirectory({ has: (name) => lstatOrNull(`${here}/${name}`) !== null }))
  }

  #read(names: Names, file: string): string | null {
    try {
      return this.#inDirectory(names, (here) => readRegularSync(`${here}/${file}`, 1024 ** 2))
    } catch {
      return null
    }
  }

  /** Calls `act` with a path to a directory of the tree that no link can redirect. */
  #inDirectory<T>(names: Names, act: (here: string, descriptor: number) => T): T {
    const descriptor = openBelow(this.#base, names)
    let isAsync = false
    const close = (): void => closeSync(descriptor)
    try {
      const result = act(process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : this.#absolute(names), descriptor)
      if (!(result instanceof Promise)) return result
      isAsync = true
      return result.finally(close) as T
    } finally {
      if (!isAsync) close()
    }
  }

  #absolute(names: Names): string {
    return [this.#root, ...names].join('/')
  }

  #in(top: Names, names: Names): string {
    return shown(names.slice(top.length))
  }
}

function contentOf(entry: WalkEntry, most: number): Buffer | null {
  let descriptor: number
  try {
    descriptor = entry.open()
  } catch {
    return null
  }
  try {
    const stat = fstatSync(descriptor)
    return stat.isFile() && stat.size <= most ? readAll(descriptor, stat.size) : null
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}

function readAll(descriptor: number, size: number): Buffer {
  const buffer = Buffer.alloc(size)
  let at = 0
  for (let read = -1; read !== 0 && at < size; at += read) read = readSync(descriptor, buffer, at, size - at, at)
  return buffer.subarray(0, at)
}
