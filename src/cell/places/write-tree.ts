import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { Readable } from 'node:stream'
import { codeOf } from '../../base/errors.ts'
import { openBelow } from '../../files/open-below.ts'
import { CannotTravel, type TreeDifference, type TreeEntry } from './tree-manifest.ts'

/** Returns the content with a SHA-256, which the writer checks. */
export type ReadBlob = (hash: string) => Promise<Readable>

/**
 * Carries out a difference in a tree. Every name is opened below its parent without following a link, so nothing outside of the root is
 * touched, whatever other programs do in it. A file replaces the one before it as a whole, and only with the content that its hash names.
 * @param root absolute path of a directory without links in it.
 * @throws CannotTravel if a content is not the one that its hash names; the system's error if a name cannot be written
 */
export async function writeTree(root: string, { changed, gone }: TreeDifference, read: ReadBlob): Promise<void> {
  for (const each of gone) inParent(root, each, remove)
  for (const each of changed) {
    if (each.kind === 'directory') inParent(root, each.path, (at) => makeDirectory(at, each))
    else if (each.kind === 'symlink') inParent(root, each.path, (at) => putInPlace(at, (made) => symlinkSync(bytesOf(each.target), made)))
    else await writeFile(root, each, read)
  }
  // Last, because a directory may forbid its owner to write.
  for (const each of changed.toReversed()) if (each.kind === 'directory') inParent(root, each.path, (at) => void chmodBelow(at, each.mode))
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** Calls `act` with a path to one name that cannot be redirected in the meantime. */
function inParent<T>(root: string, path: string, act: (at: Buffer) => T): T {
  const names = path.split('/').map(bytesOf)
  const parent = openBelow(root, names.slice(0, -1))
  try {
    return act(Buffer.concat([Buffer.from(`/proc/self/fd/${parent}/`), names.at(-1) ?? Buffer.alloc(0)]))
  } finally {
    closeSync(parent)
  }
}

function remove(at: Buffer): void {
  const stat = lstatSync(at, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isDirectory()) return unlinkSync(at)
  try {
    rmdirSync(at)
  } catch (error) {
    // Something was made in it meanwhile, which nobody asked to remove.
    if (codeOf(error) !== 'ENOTEMPTY') throw error
  }
}

function makeDirectory(at: Buffer, { mode }: TreeEntry): void {
  const stat = lstatSync(at, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return void chmodBelow(at, mode | 0o700)
  if (stat !== undefined) unlinkSync(at)
  mkdirSync(at, { mode: mode | 0o700 })
}

/** Sets the mode of exactly this directory. */
function chmodBelow(at: Buffer, mode: number): void {
  const descriptor = openSync(at, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    chmodSync(`/proc/self/fd/${descriptor}`, mode)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes something under a name of its own and moves it to its place, so that the place is never half made. */
function putInPlace(at: Buffer, make: (made: Buffer) => void): void {
  const made = besides(at)
  make(made)
  moveTo(made, at)
}

function besides(at: Buffer): Buffer {
  return Buffer.concat([at.subarray(0, at.lastIndexOf('/') + 1), Buffer.from(`.paddock-${randomBytes(6).toString('hex')}`)])
}

function moveTo(made: Buffer, at: Buffer): void {
  try {
    renameSync(made, at)
  } catch (error) {
    rmSync(made, { force: true })
    throw error
  }
}

async function writeFile(root: string, entry: TreeEntry, read: ReadBlob): Promise<void> {
  const names = entry.path.split('/').map(bytesOf)
  const parent = openBelow(root, names.slice(0, -1))
  try {
    const at = Buffer.concat([Buffer.from(`/proc/self/fd/${parent}/`), names.at(-1) ?? Buffer.alloc(0)])
    const made = besides(at)
    const descriptor = openSync(made, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
    try {
      await fill(descriptor, entry, await read(entry.hash))
      fchmodSync(descriptor, entry.mode)
      futimesSync(descriptor, secondsOf(entry), secondsOf(entry))
    } catch (error) {
      rmSync(made, { force: true })
      throw error
    } finally {
      closeSync(descriptor)
    }
    moveTo(made, at)
  } finally {
    closeSync(parent)
  }
}

/** Half a millisecond more than the entry says: the nearest number may be less, and would be read as the millisecond before. */
function secondsOf({ mtime }: TreeEntry): number {
  return (mtime + 0.5) / 1_000
}

async function fill(descriptor: number, { path, size, hash }: TreeEntry, content: Readable): Promise<void> {
  const sum = createHash('sha256')
  let written = 0
  for await (const part of content) {
    const bytes = part as Buffer
    written += bytes.length
    if (written > size) break
    sum.update(bytes)
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
  }
  if (written !== size || sum.digest('hex') !== hash)
    throw new CannotTravel(`has a file whose content is not the one that was named: ${JSON.stringify(path)}`)
}
