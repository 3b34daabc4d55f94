import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from '../base/errors.ts'

/** The maximum number of bytes kept in one log. Any further output is read, counted and dropped. */
const maxLogBytes = 64 * 1024 * 1024
const tailBytes = 64 * 1024

/** A bounded log of a program's output. */
export interface Log extends AsyncDisposable {
  /** Passes a stream on unchanged while writing it to the log. It waits for the disk, which slows the stream's writer. */
  through(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer>
  /** Writes a stream to the log. A failing stream simply ends. Throws if the disk is full. */
  drain(chunks: AsyncIterable<Uint8Array | string>): Promise<void>
  /** Returns the newest 64 KiB as text, but nothing before the byte `since` (default: 0). */
  tail(since?: number): string
  readonly bytes: number
}

export async function openLog(file: string, limit: number = maxLogBytes, mode = 0o644): Promise<Log> {
  await mkdir(path.dirname(file), { recursive: true })
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, mode)
  let bytes = 0
  let newest = Buffer.alloc(0)
  const keep = async (chunk: Buffer): Promise<void> => {
    const room = Math.max(0, limit - bytes)
    const part = chunk.subarray(0, room)
    for (let done = 0; done < part.length; ) done += (await handle.write(part, done, part.length - done)).bytesWritten
    if (part.length < chunk.length && room > 0)
      await handle.write(`\n[paddock: the rest of this output was not kept; ${limit} bytes is the limit]\n`)
    bytes += chunk.length
    newest = Buffer.concat([newest, chunk.subarray(-tailBytes)]).subarray(-tailBytes)
  }
  async function* through(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      await keep(buffer)
      yield buffer
    }
  }
  return {
    through,
    async drain(chunks) {
      try {
        for await (const _chunk of through(chunks)) {
          // `through` has already written it to the log.
        }
      } catch (error) {
        if (codeOf(error) === 'ENOSPC') throw error
      }
    },
    tail: (since = 0) => newest.subarray(Math.max(0, newest.length - Math.max(0, bytes - since))).toString('utf8'),
    get bytes() {
      return bytes
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}
