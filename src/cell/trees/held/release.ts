import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { inDirectory } from '../../../files/in-directory.ts'
import { readRegularBytes } from '../../../files/read-regular.ts'
import { type IndexEntry, withoutSkipBits } from '../../../git/index-file.ts'
import { headOf } from '../../../git/tips.ts'
import { hasForeignEntries, indexOf, isHeld, objectId } from '../../plan/held/held-repository.ts'
import type { RunLaterRules } from '../../plan/protected/run-later.ts'
import { isProtected } from '../hidden-in-git.ts'
import { OwnRepository } from '../own-repository.ts'
import { type HeldStart, isIndexWrittenSince } from './held-start.ts'
import { type MixedReset, mixedReset } from './mixed-reset.ts'
import { newWorkTrees } from './new-work-trees.ts'
import { ObjectReader } from './objects.ts'
import { rewriteIndex } from './rewrite-index.ts'
import { nearestIn, type Version, versionsIn } from './versions.ts'
import { removeFrom, writeOut } from './write-out.ts'

/** The result of giving held paths back to git after a cell. Paths are absolute. */
export interface Released {
  /** Held files that were brought to the version of the commit that is checked out now, or removed with it. */
  readonly updated: readonly string[]
  /** Held files that differ from the index now. Each was left as it was at the start. */
  readonly left: readonly string[]
  /** Held files that the cell removed in git, which no commit of the user did. Each was left as it was at the start. */
  readonly untracked: readonly string[]
  /** Held files whose versions from before a reset, in the commit `from`, git outside would have shown as changes after it. */
  readonly uncommitted: readonly { readonly path: string; readonly from: string }[]
  /** Held files that came with a commit, and whose patterns of a sparse checkout git on the host has not compared yet. */
  readonly hidden: readonly string[]
  /** Protected paths that have exactly the content of one of the user's own commits. */
  readonly own: readonly string[]
  /** The versions of protected paths that a commit of the user has, as `ID PATH` with the path relative to its work tree. */
  readonly versions: readonly string[]
  /** Indexes that were moved aside. */
  readonly quarantined: readonly { readonly path: string; readonly movedTo: string }[]
  /** Git directories whose index could not be given back. */
  readonly unsearched: readonly string[]
}

type Finding = { readonly [K in keyof Released]: Released[K] extends readonly (infer T)[] ? T[] : never }

/** Milliseconds to wait for another git that writes the index. */
const lockMs = 10_000
const mostFileBytes = 16 * 1024 ** 2

/**
 * Gives the held paths of repositories back to git after a cell: git looks at them again, and files whose version changed in git are written
 * out if that is safe. A file is written only if it is unchanged since the start, the commit that is checked out has the new version, and
 * so has a commit of the user. Anything else is left and reported. `trees`: the trees that the cell could write to; work trees that it added
 * there count as well, those in `before` do not. `scratch`: an empty directory of Paddock's own; `since`: the start in milliseconds since the epoch. Never rejects because of the contents of a repository.
 */
export async function release(
  repositories: readonly HeldStart[],
  before: ReadonlySet<string>,
  trees: readonly string[],
  since: number,
  scratch: string,
  rules: RunLaterRules,
): Promise<Released> {
  const all: Finding = {
    updated: [],
    left: [],
    untracked: [],
    uncommitted: [],
    hidden: [],
    own: [],
    versions: [],
    quarantined: [],
    unsearched: [],
  }
  for (const [at, start] of [...repositories, ...newWorkTrees(repositories, before, trees, rules)].entries()) {
    try {
      const own = new OwnRepository(path.join(scratch, `held-${at}`), start.common, start.idBytes === 32)
      if (isIndexWrittenSince(start.git, since)) await new Release(start, own, rules, all).run()
    } catch {
      all.unsearched.push(start.git)
    }
  }
  return all
}

class Release {
  readonly #start: HeldStart
  readonly #objects: ObjectReader
  readonly #rules: RunLaterRules
  readonly #found: Finding

  constructor(start: HeldStart, own: OwnRepository, rules: RunLaterRules, found: Finding) {
    this.#start = start
    this.#objects = new ObjectReader(own)
    this.#rules = rules
    this.#found = found
  }

  async run(): Promise<void> {
    const { git, common, idBytes, tips, clean } = this.#start
    const skipped = new Set(this.#start.skipped)
    const before = new Map(clean.map((each) => [each.path, each]))
    const isIncluded = ({ path: file }: IndexEntry): boolean =>
      this.#start.sparse === 'none' || before.has(file) || (this.#start.sparse === 'cones' && !file.includes('/'))
    const isOurs = (each: IndexEntry): boolean => isHeld(this.#start, each.path) && !skipped.has(each.path) && isIncluded(each)
    const index = indexOf(git, idBytes)
    if (index === null && hasForeignEntries(git, idBytes)) return this.#moveIndex()
    if (index === null) throw new Error('the index cannot be read')
    const clear = (bytes: Buffer): Buffer | null => withoutSkipBits(bytes, idBytes, isOurs)
    if (index.some((each) => each.skipsWorkTree && isOurs(each)) && !(await rewriteIndex(git, lockMs, clear)))
      throw new Error('the index cannot be written')
    const { sparse, hidden, workTree } = this.#start
    const isNewlyHidden = (each: IndexEntry): boolean =>
      each.skipsWorkTree &&
      isHeld(this.#start, each.path) &&
      !isOurs(each) &&
      !skipped.has(each.path) &&
      hidden?.includes(each.path) === false
    if (sparse !== 'none') this.#found.hidden.push(...index.filter(isNewlyHidden).map((each) => path.join(workTree, each.path)))
    const versions: readonly Version[] = index.filter(
      (each) => each.stage === 0 && isProtected(each.path, this.#rules) && (!each.skipsWorkTree || isOurs(each)),
    )
    const head = headOf(git, common)
    const inHead = await versionsIn(this.#objects, head === null ? [] : [head], versions)
    const users = await versionsIn(this.#objects, tips, versions)
    // Everything else that is replaced or removed would be lost, such as a version that is only in the index.
    const kept = new Map([...(await versionsIn(this.#objects, tips, clean))].map((each) => [each.path, each]))
    const tracked = new Set(index.map((each) => each.path))
    // Then the files stay as they are, as after a reset outside.
    const reset = await mixedReset(this.#start, this.#objects, index)
    const isReset = reset !== null
    for (const each of versions) {
      const old = before.get(each.path)
      if (old?.id !== each.id && isHeld(this.#start, each.path))
        await this.#update(each, old, !isReset && inHead.has(each) && users.has(each) && (old === undefined || kept.has(each.path)))
      // Git on the host removed it for a commit without it, and git in the cell went back. Or the user removed it.
      else if (old !== undefined && lstatSync(path.join(this.#start.workTree, each.path), { throwIfNoEntry: false }) === undefined)
        this.#found.left.push(path.join(this.#start.workTree, each.path))
      before.delete(each.path)
    }
    const gone = [...before.values()].filter((each) => !tracked.has(each.path))
    const removed = await this.#goneFromUsers(
      gone.filter((each) => !isReset && kept.has(each.path)),
      head,
    )
    for (const each of gone)
      if (removed.has(each)) this.#remove(each)
      else if (this.#idOf(path.join(this.#start.workTree, each.path)) !== null)
        this.#found.untracked.push(path.join(this.#start.workTree, each.path))
    if (reset !== null) this.#passedOver(reset, index, reset.to !== head)
    for (const each of users) this.#found.versions.push(`${each.id} ${each.path}`)
    this.#recognize([...users])
  }

  /** Notes held files whose version from before a reset is not in the index. Without a commit after it, only if the work tree has another one, too. */
  #passedOver({ from, held }: MixedReset, index: readonly IndexEntry[], isCommitted: boolean): void {
    const inIndex = new Map(index.map((each) => [each.path, each.id]))
    for (const [file, before] of held) {
      const full = path.join(this.#start.workTree, file)
      if (inIndex.get(file) !== before && (isCommitted || (this.#idOf(full) ?? undefined) !== before))
        this.#found.uncommitted.push({ path: full, from })
    }
  }

  /** Moves an index aside with which the user's next checkout would write outside of the work tree. */
  #moveIndex(): void {
    const index = path.join(this.#start.git, 'index')
    const to = `${index}.quarantined-${randomBytes(4).toString('hex')}`
    inDirectory(index, (safe) => renameSync(safe, path.join(path.dirname(safe), path.basename(to))))
    this.#found.quarantined.push({ path: index, movedTo: to })
  }

  async #update(version: Version, before: Version | undefined, isUsers: boolean): Promise<void> {
    const file = path.join(this.#start.workTree, version.path)
    const now = this.#idOf(file)
    if (now === version.id) return
    const isUnchanged = before === undefined ? lstatSync(file, { throwIfNoEntry: false }) === undefined : now === before.id
    const blob = isUnchanged && isUsers ? (await this.#objects.read([version.id])).get(version.id) : undefined
    try {
      if (blob?.type !== 'blob' || (version.mode !== 0o100644 && version.mode !== 0o100755)) throw new Error('left')
      writeOut(this.#start.workTree, version.path, blob.bytes, version.mode === 0o100755)
      this.#found.updated.push(file)
    } catch {
      this.#found.left.push(file)
    }
  }

  /** Returns those of the versions that one of the nearest commits of the user does not have. The others were removed only from the index. */
  async #goneFromUsers(versions: readonly Version[], head: string | null): Promise<ReadonlySet<Version>> {
    const gone = new Set<Version>()
    if (versions.length === 0 || head === null) return gone
    for (const commit of await nearestIn(this.#objects, head, new Set(this.#start.tips))) {
      const there = await versionsIn(this.#objects, [commit], versions)
      for (const each of versions) if (!there.has(each)) gone.add(each)
    }
    return gone
  }

  /** Removes a file that the commit that is checked out does not have, if it is exactly the version of the start, which git still has. */
  #remove(before: Version): void {
    const file = path.join(this.#start.workTree, before.path)
    const now = this.#idOf(file)
    if (now === null) return
    try {
      if (now !== before.id) throw new Error('left')
      removeFrom(this.#start.workTree, before.path)
      this.#found.updated.push(file)
    } catch {
      this.#found.left.push(file)
    }
  }

  /** Finds protected paths with exactly the content of the user's versions: files, and directories that contain nothing else. */
  #recognize(users: readonly Version[]): void {
    const { workTree } = this.#start
    const own = new Set(users.filter((each) => this.#idOf(path.join(workTree, each.path)) === each.id).map((each) => each.path))
    const directories = new Set([...own].flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))))
    for (const each of own) this.#found.own.push(path.join(workTree, each))
    for (const each of directories)
      if (this.#rules.protectedAt(each, 'directory') !== null && this.#hasOnly(each, own)) this.#found.own.push(path.join(workTree, each))
  }

  #hasOnly(directory: string, own: ReadonlySet<string>): boolean {
    try {
      return readdirSync(path.join(this.#start.workTree, directory), { withFileTypes: true }).every((each) => {
        const file = `${directory}/${each.name}`
        return each.isDirectory() ? this.#hasOnly(file, own) : each.isFile() && own.has(file)
      })
    } catch {
      return false
    }
  }

  /** Returns the ID of a file's content as a blob. Null if there is no regular file with a single name, or if it is too large. */
  #idOf(file: string): string | null {
    if (lstatSync(file, { throwIfNoEntry: false })?.nlink !== 1) return null
    const bytes = readRegularBytes(file, mostFileBytes)
    return bytes === null ? null : objectId('blob', bytes, this.#start.idBytes * 2)
  }
}
