import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { codeOf } from '../base/errors.ts'

export type ReadResult =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly why: 'missing' | 'not-a-file' | 'too-large' | 'unreadable' }

/** Reads a file that an attacker may have made. Follows no link, reads only a regular file, and never more than `maxBytes`. */
export async function readRegular(file: string, maxBytes: number): Promise<ReadResult> {
  let handle: FileHandle
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = codeOf(error)
    return { ok: false, why: code === 'ENOENT' ? 'missing' : code === 'ELOOP' || code === 'ENXIO' ? 'not-a-file' : 'unreadable' }
  }
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) return { ok: false, why: 'not-a-file' }
    if (facts.size > maxBytes) return { ok: false, why: 'too-large' }
    // The file may grow in the meantime, and files in /proc have no size.
    let buffer = Buffer.alloc(Math.min(Math.max(facts.size, 4096), maxBytes) + 1)
    let size = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, size, buffer.length - size, size)
      size += bytesRead
      if (bytesRead === 0 || size > maxBytes) break
      if (size === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, maxBytes + 1))
    }
    return size > maxBytes ? { ok: false, why: 'too-large' } : { ok: true, bytes: buffer.subarray(0, size) }
  } catch {
    return { ok: false, why: 'unreadable' }
  } finally {
    await handle.close()
  }
}

/** Does the same synchronously and returns text; null if the file cannot be read. */
export function readRegularSync(file: string, maxBytes: number): string | null {
  return readRegularBytes(file, maxBytes)?.toString('utf8') ?? null
}

/** Does the same synchronously; null if the file cannot be read. */
export function readRegularBytes(file: string | Buffer, maxBytes: number): Buffer | null {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const facts = fstatSync(descriptor)
    if (!facts.isFile() || facts.size > maxBytes) return null
    const buffer = Buffer.alloc(facts.size)
    return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, 0))
  } catch {
    return null
  } finally {
    closeSync(descriptor)
  }
}
