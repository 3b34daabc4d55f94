import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'

/** Bytes after which a new file is begun. The one before is kept. */
const mostBytes = 1024 ** 2

/**
 * Writes what streams deliver into a directory as well, for other processes, and keeps at least the last MiB of it. Does not change when the
 * streams flow. Returns a function that ends it.
 */
export function keepOutput(streams: readonly Readable[], directory: string): () => void {
  const [file, before] = filesIn(directory)
  let descriptor: number | null = null
  let size = 0
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor)
    descriptor = null
  }
  /** The reader of the stream gets everything, whether or not this works. The disk may be full. */
  const trying = (act: () => void): void => {
    try {
      act()
    } catch {
      close()
    }
  }
  const open = (): void => {
    descriptor = openSync(file, 'wx', 0o600)
    size = 0
  }
  const keep = (chunk: unknown): void => {
    if (descriptor === null || !Buffer.isBuffer(chunk)) return
    size += writeSync(descriptor, chunk)
    if (size < mostBytes) return
    close()
    renameSync(file, before)
    open()
  }
  trying(open)
  for (const stream of streams) {
    const push = stream.push.bind(stream)
    // A listener for the data would make the stream flow before its reader listens.
    stream.push = (chunk, encoding) => {
      trying(() => keep(chunk))
      return push(chunk, encoding)
    }
  }
  return close
}

/** Returns the kept output in this directory. Null if none is kept. */
export function keptOutput(directory: string): Buffer | null {
  const [file, before] = filesIn(directory)
  const read = (each: string): Buffer | null => {
    try {
      return readFileSync(each)
    } catch {
      return null
    }
  }
  const [last, first] = [read(file), read(before)]
  return last === null && first === null ? null : Buffer.concat([first ?? Buffer.alloc(0), last ?? Buffer.alloc(0)])
}

/** The newer file comes first. */
function filesIn(directory: string): readonly [string, string] {
  return [path.join(directory, 'output'), path.join(directory, 'output.before')]
}
