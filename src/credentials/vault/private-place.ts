import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, PaddockError } from '../../base/errors.ts'

interface Facts {
  readonly mode: number
  readonly uid: number
}

/**
 * Makes a directory that only the user may enter (0700), or checks an existing one. A directory that others may enter, that belongs to
 * another user or that is a link is refused and not changed, because its content cannot be trusted, and only the user knows since when.
 * @throws PaddockError NOT_ALLOWED
 */
export async function privateDirectory(directory: string): Promise<void> {
  await mkdir(path.dirname(directory), { recursive: true })
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const facts = await lstat(directory)
  if (!facts.isDirectory())
    throw new PaddockError('NOT_ALLOWED', `${directory} is not a directory, so nothing in it was read or written.`, {
      hint: `Run: ls -ld ${directory}`,
    })
  refuseLoose(directory, facts, '700')
}

/**
 * Returns the bytes of a file that only the user may access, or null if it does not exist. No link is followed.
 * @throws PaddockError NOT_ALLOWED if others may read or write it, or if it belongs to another user; FILES_FAILED
 */
export async function readPrivate(file: string, maxBytes: number): Promise<{ readonly bytes: Buffer; readonly version: string } | null> {
  let handle: FileHandle
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'ENOENT') return null
    if (code === 'ELOOP' || code === 'ENXIO') throw notAFile(file)
    throw new PaddockError('FILES_FAILED', `${file} cannot be read (${code}).`, { hint: `Run: ls -l ${file}` })
  }
  try {
    const facts = await handle.stat({ bigint: true })
    if (!facts.isFile()) throw notAFile(file)
    refuseLoose(file, { mode: Number(facts.mode), uid: Number(facts.uid) }, '600')
    if (facts.size > BigInt(maxBytes))
      throw new PaddockError('FILES_FAILED', `${file} is larger than ${maxBytes} bytes, so it was not read.`, {
        hint: `Run: ls -l ${file}`,
      })
    const bytes = Buffer.alloc(Number(facts.size))
    let size = 0
    while (size < bytes.length) {
      const { bytesRead } = await handle.read(bytes, size, bytes.length - size, size)
      if (bytesRead === 0) break
      size += bytesRead
    }
    return { bytes: bytes.subarray(0, size), version: versionOf(facts) }
  } finally {
    await handle.close()
  }
}

/** Returns a version that changes with every atomic write of a file. */
export function versionOf(facts: {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}): string {
  return `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}`
}

function refuseLoose(place: string, facts: Facts, wanted: '600' | '700'): void {
  const self = process.getuid?.()
  const mode = (facts.mode & 0o7777).toString(8).padStart(3, '0')
  if (self !== undefined && facts.uid !== self)
    throw new PaddockError(
      'NOT_ALLOWED',
      `${place} belongs to uid ${facts.uid}, and you are ${self}, so it was neither read nor changed.`,
      {
        hint: `Find out how it got there. If it is yours, run: sudo chown ${self} ${place} && chmod ${wanted} ${place}`,
      },
    )
  if ((facts.mode & 0o077) !== 0)
    throw new PaddockError('NOT_ALLOWED', `${place} has mode ${mode}, so others could get at it; it was neither read nor changed.`, {
      hint: `Consider who may have read or changed it, then run: chmod ${wanted} ${place}`,
    })
}

const notAFile = (file: string): PaddockError =>
  new PaddockError('NOT_ALLOWED', `${file} is not a plain file, so it was neither read nor changed.`, {
    hint: `Run: ls -l ${file}`,
  })
