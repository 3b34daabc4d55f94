import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'

/**
 * Replaces `file` with `content` so that a reader sees either all of the old or all of the new content, even after a crash: it writes
 * a temporary file in the same directory, then does fsync, rename, and fsync of the directory. Creates parent directories. A system error
 * has `path: file`. `mode` is the permission of the new file (default: 0644), `owner` its owner (default: the user of the process).
 */
export async function writeAtomic(
  file: string,
  content: string | Uint8Array | AsyncIterable<string>,
  options: { readonly mode?: number; readonly owner?: { readonly uid: number; readonly gid: number } } = {},
): Promise<void> {
  const directory = path.dirname(file)
  const mode = options.mode ?? 0o644
  await mkdir(directory, { recursive: true })
  const temporary = path.join(directory, `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode)
    try {
      const { uid, gid } = await handle.stat()
      const { owner } = options
      if (owner !== undefined && (owner.uid !== uid || owner.gid !== gid)) await handle.chown(owner.uid, owner.gid)
      await handle.writeFile(content)
      await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    // The system's error for a full disk has no path, and the caller does not know the temporary file.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  }
  await syncDirectory(directory)
}

/** Does the same as `writeAtomic` for a JSON value, indented, with a final newline. */
export async function writeJson(file: string, value: unknown, options: { readonly mode?: number } = {}): Promise<void> {
  await writeAtomic(file, `${JSON.stringify(value, null, 2)}\n`, options)
}

/**
 * Creates `file` with this JSON value. If the name exists, returns false and changes nothing. When it returns true, the file and
 * its name are on the disk. The parent directory must exist.
 */
export async function writeJsonOnce(file: string, value: unknown, options: { readonly mode?: number } = {}): Promise<boolean> {
  let handle: FileHandle
  try {
    handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, options.mode ?? 0o644)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  try {
    await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`)
    await handle.sync()
  } catch (error) {
    await rm(file, { force: true })
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
  } finally {
    await handle.close()
  }
  await syncDirectory(path.dirname(file))
  return true
}

/** Makes the names in a directory durable. Has no effect on file systems that cannot do this for directories. */
export async function syncDirectory(directory: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY)
    await handle.sync()
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EINVAL' && code !== 'ENOTSUP' && code !== 'EPERM') throw error
  } finally {
    await handle?.close()
  }
}
