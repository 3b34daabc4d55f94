import { chmodSync, existsSync, lchownSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { contains } from '../../cell/plan/filesystem.ts'
import { ownGit } from '../../cell/trees/own-git.ts'
import { repositoryOf } from '../../cell/trees/source-repository.ts'
import { syncTree } from '../../files/sync-tree.ts'
import { WalkTooLarge } from '../../files/walk.ts'
import { hostSearchPath } from '../../system/host-program.ts'
import { removeCopy, removeHalfMade } from '../all-copies.ts'
import { type CopyPlace, type CopyRecord, newPlace, ownIdentity, writeManifest, writeRecord } from '../copy-record.ts'
import { writeStamps } from '../stamp.ts'
import { FileTaker } from './file-taker.ts'
import { makeRules } from './git-directory.ts'
import { refuseIgnoreFiles } from './ignore-files.ts'
import { type Taken, takeTree } from './take-tree.ts'
import { everything, takeRepository, trackedAndNew } from './wanted.ts'

export interface CopyWish {
  /** The absolute path of the project, without links. */
  readonly project: string
  /** True: ignored files are copied, too. */
  readonly ignored: boolean
  /** The directory of all copies. */
  readonly copies: string
  readonly searchPath: string
  /** The user's global ignore file of git; null: no such file. */
  readonly excludes: string | null
  /** Directories that a project must not be or contain: the home directory and Paddock's own directories. */
  readonly refused: readonly string[]
  /** Called after each file is copied. */
  readonly onFile?: () => void
  /** A signal to stop. The unfinished copy is then removed, and the reason of the signal is thrown. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes a copy of a project for a cell to work on. The project is only read. In a git repository, tracked and new files are
 * copied, and ignored files on request; otherwise all files are copied.
 * @throws PaddockError `NOT_ALLOWED`, `FILES_FAILED`
 */
export async function createCopy(wish: CopyWish): Promise<{ readonly place: CopyPlace; readonly record: CopyRecord }> {
  const inside = wish.refused.find((each) => contains(wish.project, each))
  if (inside !== undefined)
    throw new PaddockError('NOT_ALLOWED', `${wish.project} is not copied: it is or contains ${inside}.`, {
      hint: 'Work in a separate directory, for example ~/projects/name',
    })
  await removeHalfMade(wish.copies)
  const place = newPlace(wish.copies)
  const making: CopyRecord = {
    schemaVersion: 1,
    id: place.id,
    project: wish.project,
    created: new Date().toISOString(),
    state: 'making',
    maker: await ownIdentity(),
    options: { ignored: wish.ignored },
    repositories: [],
    cells: [],
    skipped: [],
    skippedCount: 0,
    notes: [],
  }
  try {
    await writeRecord(place, making)
    const { taken, repositories, notes, head } = await fill(wish, place)
    await writeManifest(place, taken.entries)
    await writeStamps(place, taken.entries)
    await syncTree(place.directory, wish.signal)
    wish.signal?.throwIfAborted()
    const record: CopyRecord = {
      ...making,
      state: 'ready',
      ...(head === undefined ? {} : { head }),
      repositories: [...repositories],
      skipped: taken.skipped,
      skippedCount: taken.skippedCount,
      notes: [...notes],
    }
    await writeRecord(place, record)
    return { place, record }
  } catch (error) {
    await removeCopy(place)
    if (error instanceof PaddockError) throw error
    wish.signal?.throwIfAborted()
    const why = error instanceof WalkTooLarge ? `it has ${error.message}` : messageOf(error)
    throw new PaddockError('FILES_FAILED', `${wish.project} could not be copied: ${why}.`, {
      hint: 'Work in a smaller directory of it, or make room',
      cause: error,
    })
  }
}

interface Filled {
  readonly taken: Taken
  readonly repositories: readonly string[]
  readonly notes: readonly string[]
  readonly head: string | null | undefined
}

async function fill(wish: CopyWish, place: CopyPlace): Promise<Filled> {
  const { project } = wish
  const { tree } = place
  const searchPath = hostSearchPath(wish.searchPath, [project])
  mkdirSync(tree, { mode: 0o755 })
  const disk = statfsSync(tree)
  const taker = new FileTaker(disk.bavail * disk.bsize, wish.onFile, wish.signal)
  const root = repositoryOf(project, [])
  const within = [project, ...(root === null ? [] : [root.common])]
  const notes: string[] = []
  if (root === null && existsSync(path.join(project, '.git')))
    notes.push('its .git leads elsewhere, so the copy has no history; everything in the project was copied')
  let taken: Taken
  let repositories: readonly string[]
  if (root === null || wish.ignored) {
    taken = await takeTree(project, tree, everything, taker)
    const at = { project, tree, taker, within, found: { roots: [], notes } }
    for (const each of taken.repositories) await takeRepository(each, at)
    repositories = at.found.roots
  } else {
    await refuseIgnoreFiles(project)
    const wanted = await trackedAndNew(project, tree, taker, { ...wish, searchPath, within })
    taken = await takeTree(project, tree, wanted, taker)
    repositories = wanted.found.roots
    notes.push(...wanted.found.notes)
  }
  dressRoot(project, tree)
  if (root === null) return { taken, repositories, notes, head: undefined }
  // The ignore rules and the commit are in a git directory that no cell ever sees.
  await makeRules(root, place.rules, taker)
  const places = { gitDirectory: path.join(tree, '.git'), workTree: tree, searchPath }
  const head = (await ownGit(['rev-parse', '--verify', '-q', 'HEAD'], places, { ok: [1] }).catch(() => Buffer.alloc(0))).toString().trim()
  return { taken, repositories, notes, head: head === '' ? null : head }
}

/** Gives the root of the copy to the owner of the project when running as root, because the cell's uid is mapped to that owner. */
function dressRoot(project: string, tree: string): void {
  const { uid, gid, mode } = statSync(project)
  if (process.geteuid?.() === 0) lchownSync(tree, uid, gid)
  chmodSync(tree, (mode & 0o777) | 0o700)
}
