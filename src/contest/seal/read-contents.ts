import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { SealedFile } from './seal-schema.ts'
import { tarHeader, tarPadding } from './seal-tar.ts'

/**
 * Yields the bytes of the wanted files of an archive, in the archive's order, and null for bytes that do not match the seal.
 * Other files are not read. Throws the system's error if the archive cannot be opened.
 */
export async function* readContents(
  archive: string,
  files: readonly SealedFile[],
  isWanted: (file: SealedFile) => boolean,
): AsyncGenerator<{ readonly file: SealedFile; readonly bytes: Buffer | null }> {
  await using handle = await open(archive, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const offsets = offsetsOf(files)
  for (const file of files) if (isWanted(file)) yield { file, bytes: await contentAt(handle, offsets.get(file.path) ?? 0, file) }
}

/** Returns the offset of each file's bytes in an archive of these files. */
export function offsetsOf(files: readonly SealedFile[]): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>()
  let at = 0
  for (const file of files) {
    at += tarHeader(file).length
    offsets.set(file.path, at)
    at += file.size + tarPadding(file.size).length
  }
  return offsets
}

/** Returns the bytes of the file at an offset in an open archive; null if they do not match the seal. */
export async function contentAt(
  handle: FileHandle,
  at: number,
  { size, sha256 }: Pick<SealedFile, 'size' | 'sha256'>,
): Promise<Buffer | null> {
  const bytes = Buffer.alloc(size)
  for (let done = 0; done < size; ) {
    const { bytesRead } = await handle.read(bytes, done, size - done, at + done)
    if (bytesRead === 0) return null
    done += bytesRead
  }
  return hash('sha256', bytes) === sha256 ? bytes : null
}
