import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'

/** A JSON-lines file that only grows. Lines are written in the order of the calls, with one write for each line. */
export interface JsonLines extends AsyncDisposable {
  /** Adds one line. With `durable`, waits until the line is on the disk. */
  append(value: unknown, options?: { readonly durable?: boolean }): Promise<void>
  close(): Promise<void>
}

/**
 * Opens or creates a JSON-lines file for appending. A torn last line from a crash is cut off first, so that the next
 * line is not appended to it. The caller is the only writer.
 */
export async function openJsonLines(file: string, options: { readonly mode?: number } = {}): Promise<JsonLines> {
  await mkdir(path.dirname(file), { recursive: true })
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, options.mode ?? 0o644)
  let end: number
  try {
    end = await wholeLines(handle)
    await handle.truncate(end)
  } catch (error) {
    await handle.close()
    throw error
  }
  let last: Promise<void> = Promise.resolve()
  const write = async (line: Buffer, durable: boolean): Promise<void> => {
    let done = 0
    while (done < line.length) {
      const { bytesWritten } = await handle.write(line, done, line.length - done, end + done)
      done += bytesWritten
    }
    end += line.length
    if (durable) await handle.sync()
  }
  const close = async (): Promise<void> => {
    await last.catch(() => {})
    await handle.close()
  }
  return {
    append(value, { durable = false } = {}) {
      const line = Buffer.from(`${JSON.stringify(value)}\n`)
      const next = last
        .catch(() => {})
        .then(() => write(line, durable))
        .catch((error: unknown) => {
          // The system's error for a full disk has no path.
          throw error instanceof Error ? Object.assign(error, { path: file }) : error
        })
      last = next
      return next
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Returns all complete lines of a JSON-lines file, parsed. A torn last line and lines that are not JSON are left out. Empty if there is no
 * file.
 */
export async function readJsonLines(file: string): Promise<unknown[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
  const values: unknown[] = []
  const lines = text.split('\n')
  lines.pop()
  for (const line of lines) {
    try {
      values.push(JSON.parse(line))
    } catch {
      // Paddock did not write this line, but the rest of the file stays readable.
    }
  }
  return values
}

/** Returns the length of the file up to and including its last newline. */
async function wholeLines(handle: FileHandle): Promise<number> {
  const block = Buffer.alloc(64 * 1024)
  let end = (await handle.stat()).size
  while (end > 0) {
    const start = Math.max(0, end - block.length)
    const { bytesRead } = await handle.read(block, 0, end - start, start)
    if (bytesRead === 0) return 0
    const newline = block.lastIndexOf(0x0a, bytesRead - 1)
    if (newline >= 0) return start + newline + 1
    end = start
  }
  return 0
}
