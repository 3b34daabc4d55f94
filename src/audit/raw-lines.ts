import { readRange } from './log-place.ts'

/** The length in bytes above which a line cannot be part of the log. */
const maxLine = 1024 ** 2
const chunk = 1024 ** 2
const newline = 10

export interface RawLine {
  readonly bytes: Buffer
  /** The line number in the file, counted from 1. */
  readonly number: number
  /** False for the bytes after the last newline. */
  readonly ended: boolean
  /** True: the line is longer than any line of the log, and `bytes` is only its start. */
  readonly long: boolean
  /** The offset of the next line in the file. */
  readonly next: number
}

/** Yields the lines in the bytes `from` to `to` of a file. */
export function* rawLines(fd: number, from: number, to: number): Generator<RawLine> {
  let held: Buffer = Buffer.alloc(0)
  let long = false
  let number = 1
  for (let at = from; at < to; ) {
    const read = readRange(fd, at, Math.min(to, at + chunk))
    if (read.length === 0) break
    const base = at
    at += read.length
    let start = 0
    for (let end = read.indexOf(newline); end >= 0; end = read.indexOf(newline, start)) {
      const part = read.subarray(start, end)
      yield {
        bytes: held.length === 0 || long ? (long ? held : part) : Buffer.concat([held, part]),
        number: number++,
        ended: true,
        long,
        next: base + end + 1,
      }
      held = Buffer.alloc(0)
      long = false
      start = end + 1
    }
    if (start === read.length || long) continue
    held = Buffer.concat([held, read.subarray(start)])
    long = held.length > maxLine
  }
  if (held.length > 0) yield { bytes: held, number, ended: false, long, next: to }
}
