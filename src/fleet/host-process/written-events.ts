import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** The number of bytes at the end of a transcript that contain the last complete line. No line is longer than half of it. */
const lastBytes = 8 * 1024 * 1024
/** The number of bytes that are read first, because most lines are short. */
const firstBytes = 64 * 1024

/** Returns the number of the last complete event in a transcript; 0 if there is none. */
export async function writtenEvents(file: string): Promise<number> {
  let handle: FileHandle
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    return 0
  }
  try {
    const { size } = await handle.stat()
    return (await lastNumber(handle, size, firstBytes)) ?? (await lastNumber(handle, size, lastBytes)) ?? 0
  } finally {
    await handle.close()
  }
}

async function lastNumber(handle: FileHandle, size: number, bytes: number): Promise<number | null> {
  const from = Math.max(0, size - bytes)
  const block = Buffer.alloc(size - from)
  const { bytesRead } = await handle.read(block, 0, block.length, from)
  const end = block.subarray(0, bytesRead).lastIndexOf(0x0a)
  const before = block.subarray(0, Math.max(end, 0)).lastIndexOf(0x0a)
  if (end < 0 || (before < 0 && from > 0)) return null
  const { n } = JSON.parse(block.toString('utf8', before + 1, end)) as { n?: unknown }
  return typeof n === 'number' ? n : null
}
