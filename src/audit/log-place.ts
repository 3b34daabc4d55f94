import { closeSync, constants, existsSync, openSync, readdirSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { readRegularSync } from '../files/read-regular.ts'
import type { ChainTip } from './line.ts'

export const currentName = 'audit.jsonl'
const headBytes = 128

/** Returns the rotated files, oldest first: `audit-1.jsonl`, `audit-2.jsonl`, … */
export function rotatedNames(directory: string): readonly { readonly name: string; readonly number: number }[] {
  return (existsSync(directory) ? readdirSync(directory) : [])
    .flatMap((name) => {
      const number = /^audit-([1-9]\d{0,8})\.jsonl$/.exec(name)?.[1]
      return number === undefined ? [] : [{ name, number: Number(number) }]
    })
    .sort((a, b) => a.number - b.number)
}

/** Returns the newest line according to the head file. Null if the file does not exist or cannot be read. */
export function readHead(directory: string): ChainTip | null {
  const text = readRegularSync(path.join(directory, 'head.json'), 4096)
  const found = text === null ? null : /^\{"schemaVersion":1,"seq":(\d{1,15}),"hash":"([0-9a-f]{64})"\} *\n$/.exec(text)
  return found === null ? null : { seq: Number(found[1]), hash: found[2] ?? '' }
}

/** Writes the head in place with one write of constant length, so that a crash leaves either the old or the new head. */
export function writeHead(directory: string, { seq, hash }: ChainTip): void {
  const fd = openSync(path.join(directory, 'head.json'), constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    writeSync(fd, `${JSON.stringify({ schemaVersion: 1, seq, hash }).padEnd(headBytes)}\n`, 0)
  } finally {
    closeSync(fd)
  }
}

/** Reads a range of a file completely. If the file is shorter, the result is shorter. */
export function readRange(fd: number, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from))
  let done = 0
  while (done < buffer.length) {
    const read = readSync(fd, buffer, done, buffer.length - done, from + done)
    if (read === 0) break
    done += read
  }
  return buffer.subarray(0, done)
}
