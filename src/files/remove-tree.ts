import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  type Dir,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { codeOf } from '../base/errors.ts'
import { Pause } from './pause-between.ts'

/**
 * Deletes a tree that a program left, even if the program removed the permissions of its directories, and regardless of its depth:
 * each directory is opened by name below its open parent, because no path may exceed PATH_MAX. Links are deleted, never followed. The
 * program must have ended. Throws the system's error if something cannot be deleted.
 */
export async function removeTree(root: string): Promise<void> {
  const facts = lstatSync(root, { throwIfNoEntry: false })
  if (facts === undefined) return
  if (process.platform !== 'linux') return rm(root, { recursive: true, force: true })
  if (facts.isDirectory()) await emptyDirectory(root)
  ignoring('ENOENT', () => (facts.isDirectory() ? rmdirSync(root) : unlinkSync(root)))
}

/** The flag for a descriptor even of a file that may not be read: O_PATH (open(2)). */
const pathOnly = 0o10_000_000
/** The maximum number of open directories, each of which uses two descriptors. Deeper ones are moved up to the root first. */
const mostOpen = 100
const mostTries = 5

interface Frame {
  readonly descriptor: number
  readonly name: Buffer
  directory: Dir
  tries: number
}

async function emptyDirectory(root: string): Promise<void> {
  const pause = new Pause()
  const frames = [enter(Buffer.from(root), Buffer.from(root))]
  // This name cannot have been used before.
  const deep = `.deep-${randomBytes(8).toString('hex')}-`
  let moved = 0
  let movedBefore = 0
  try {
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      await pause.now()
      const entry = next(frame)
      const parent = frames.at(-2)
      if (entry !== null) {
        const at = below(frame, entry.name)
        if (!entry.isDirectory() && unlinked(at)) continue
        const deeper = opened(at, entry.name)
        if (deeper === null) continue
        if (frames.length < mostOpen) frames.push(deeper)
        else {
          leave(deeper)
          renameSync(at, below(frames[0] as Frame, Buffer.from(`${deep}${moved++}`)))
        }
      } else if (parent === undefined) {
        if (moved > movedBefore) frame.tries = 0
        else if (isEmpty(frame)) break
        movedBefore = moved
        lookAgain(frame)
      } else if (removed(below(parent, frame.name))) {
        leave(frame)
        frames.pop()
      } else lookAgain(frame)
    }
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replace(/\/proc\/self\/fd\/\d+/g, () => shown(frames))
    throw error
  } finally {
    for (const frame of frames) leave(frame)
  }
}

/** Returns the next entry. A directory that was deleted in the meantime is empty. */
function next(frame: Frame): Dirent<Buffer> | null {
  try {
    return frame.directory.readSync() as unknown as Dirent<Buffer> | null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

const below = (frame: Frame, name: Buffer): Buffer => Buffer.concat([Buffer.from(`/proc/self/fd/${frame.descriptor}/`), name])
const shown = (frames: readonly Frame[]): string =>
  frames
    .map((each) => each.name.toString())
    .join('/')
    .slice(0, 1000)

/** Opens a directory, with the owner's permissions to list it and to delete in it. */
function enter(at: Buffer, name: Buffer): Frame {
  const handle = openSync(at, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  let descriptor: number
  try {
    const { mode } = fstatSync(handle)
    // If this is not permitted, the operation that needs it reports the error.
    if ((mode & 0o700) !== 0o700) ignoring('EPERM', () => chmodSync(`/proc/self/fd/${handle}`, 0o700))
    descriptor = openSync(`/proc/self/fd/${handle}/.`, constants.O_RDONLY | constants.O_DIRECTORY)
  } finally {
    closeSync(handle)
  }
  try {
    return { descriptor, name, directory: list(descriptor), tries: 1 }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Lists a directory. Node's types have no Buffer names for Dir, but the runtime does. */
const list = (descriptor: number): Dir =>
  opendirSync(`/proc/self/fd/${descriptor}`, { encoding: 'buffer' as BufferEncoding, bufferSize: 256 })

/** Opens a directory. Null: the directory no longer exists. */
function opened(at: Buffer, name: Buffer): Frame | null {
  try {
    return enter(at, name)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Unlinks a file. Returns false if it is a directory, regardless of what its listing reported before. */
function unlinked(at: Buffer): boolean {
  try {
    unlinkSync(at)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return true
    if (code === 'EISDIR') return false
    throw error
  }
}

/** Removes a directory. Returns false if it is not empty. */
function removed(at: Buffer): boolean {
  try {
    rmdirSync(at)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') return true
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

function isEmpty(frame: Frame): boolean {
  const again = list(frame.descriptor)
  try {
    return again.readSync() === null
  } finally {
    again.closeSync()
  }
}

/** Lists a directory again for entries added during the last listing. Throws if entries are added faster than they are deleted. */
function lookAgain(frame: Frame): void {
  if (frame.tries++ === mostTries)
    throw Object.assign(new Error(`ENOTEMPTY: ${shown([frame])} is filled while it is deleted`), { code: 'ENOTEMPTY' })
  frame.directory.closeSync()
  frame.directory = list(frame.descriptor)
}

function leave(frame: Frame): void {
  ignoring('ERR_DIR_CLOSED', () => frame.directory.closeSync())
  closeSync(frame.descriptor)
}

function ignoring(code: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    if (codeOf(error) !== code) throw error
  }
}
