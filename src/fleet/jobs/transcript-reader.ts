import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { codeOf } from '../../base/errors.ts'

/** One line of a transcript: an event of `src/adapters/output`, numbered from 1. */
export interface TranscriptEvent extends UnnumberedEvent {
  readonly n: number
}

export interface UnnumberedEvent {
  /** ISO 8601. */
  readonly at: string
  readonly type: string
  readonly [key: string]: unknown
}

const blockBytes = 256 * 1024
/** The most bytes of lines in memory for one answer. */
const mostBytes = 4 * 1024 * 1024
/** The interval, in events, at which positions are remembered. */
const stride = 512

/** Reads a transcript by event number, also while it is being written. A reader remembers positions, to avoid reading parts again. */
export class TranscriptReader {
  readonly #file: string
  /** Byte offsets of the events 1, 1 + stride, 1 + 2 × stride, … */
  readonly #places: number[] = [0]
  /** The number of complete lines that have been counted, and where they end. */
  #counted = { lines: 0, end: 0 }

  constructor(file: string) {
    this.#file = file
  }

  /** Returns later events in order: at most `limit`, fewer if they are large, none without a file. Skips incomplete lines. */
  async after(number: number, limit: number): Promise<readonly TranscriptEvent[]> {
    await using file = await opened(this.#file)
    if (file === null) return []
    const events: TranscriptEvent[] = []
    const from = Math.max(0, Math.floor(number))
    let bytes = 0
    const known = Math.min(Math.floor(from / stride), this.#places.length - 1)
    let n = known * stride
    for await (const { line, offset } of linesFrom(file, this.#places[known] ?? 0)) {
      if (n % stride === 0) this.#places[n / stride] ??= offset
      n += 1
      if (n <= from) continue
      bytes += line.length
      events.push({ ...(JSON.parse(line) as TranscriptEvent), n })
      if (events.length >= limit || bytes >= mostBytes) break
    }
    return events
  }

  /** Returns the number of the newest complete event; 0 without one. Counts only lines that were added since the last call. */
  async last(): Promise<number> {
    await using file = await opened(this.#file)
    if (file === null) return 0
    let { lines, end } = this.#counted
    for await (const each of linesFrom(file, end)) {
      if (lines % stride === 0) this.#places[lines / stride] ??= each.offset
      lines += 1
      end = each.end
    }
    if (lines > this.#counted.lines) this.#counted = { lines, end }
    return this.#counted.lines
  }
}

/** The number of bytes at the end of a transcript that are searched for the newest event. */
const tailBytes = 64 * 1024

/** Returns the newest event of a transcript, without its number; null if there is none, or if it is too large for a list. */
export async function newestEvent(file: string): Promise<UnnumberedEvent | null> {
  await using handle = await opened(file)
  if (handle === null) return null
  const { size } = await handle.stat()
  const tail = Buffer.alloc(Math.min(size, tailBytes))
  const { bytesRead } = await handle.read(tail, 0, tail.length, size - tail.length)
  const end = tail.lastIndexOf(0x0a, bytesRead - 1)
  const start = end <= 0 ? -1 : tail.lastIndexOf(0x0a, end - 1)
  if (end < 0 || (start < 0 && tail.length < size)) return null
  return JSON.parse(tail.toString('utf8', start + 1, end)) as UnnumberedEvent
}

async function opened(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

interface StoredLine {
  readonly line: string
  /** The byte offsets of the line and of the next one. */
  readonly offset: number
  readonly end: number
}

/** Yields complete lines from a byte offset on. */
async function* linesFrom(file: FileHandle, start: number): AsyncGenerator<StoredLine> {
  const block = Buffer.alloc(blockBytes)
  const parts: Buffer[] = []
  let [offset, at] = [start, start]
  for (;;) {
    const { bytesRead } = await file.read(block, 0, block.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    let from = 0
    for (let stop = block.indexOf(0x0a); stop >= 0 && stop < bytesRead; stop = block.indexOf(0x0a, from)) {
      parts.push(Buffer.from(block.subarray(from, stop)))
      const line = Buffer.concat(parts.splice(0))
      const end = offset + line.length + 1
      yield { line: line.toString('utf8'), offset, end }
      offset = end
      from = stop + 1
    }
    if (from < bytesRead) parts.push(Buffer.from(block.subarray(from, bytesRead)))
  }
}
