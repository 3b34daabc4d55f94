import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { Finder } from '../../src/secrets/finder.ts'
import { spellings } from '../../src/secrets/spellings.ts'

const piece = 4 * 1024 * 1024

/** Returns the processes whose environment contains this string. */
export function processesWith(word: string): readonly number[] {
  return readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) && textOf(`/proc/${name}/environ`).includes(word) ? [Number(name)] : [],
  )
}

/**
 * Returns which of these secrets are in the memory, environment or command line of processes, in plain, as URL, base64, hex or UTF-16.
 * Every page that the processes can write to is read from outside (proc_pid_mem(5)).
 */
export function wordsInMemory(
  pids: readonly number[],
  words: Readonly<Record<string, string>>,
): { readonly found: readonly string[]; readonly bytes: number } {
  const finders = Object.entries(words).map(([name, word]) => {
    const all = [...spellings(Buffer.from(word)).map((each) => Buffer.from(each)), Buffer.from(word, 'utf16le')]
    return { name, finder: new Finder(all) }
  })
  const found = new Set<string>()
  let bytes = 0
  const look = (data: Buffer): void => {
    bytes += data.length
    for (const { name, finder } of finders) if (!found.has(name) && finder.ranges(data).length > 0) found.add(name)
  }
  for (const pid of pids) {
    for (const file of ['environ', 'cmdline']) look(Buffer.from(textOf(`/proc/${pid}/${file}`), 'latin1'))
    for (const [start, end] of writablePages(pid)) for (const data of memoryOf(pid, start, end)) look(data)
  }
  return { found: [...found], bytes }
}

/** Returns writable mappings with resident pages (proc_pid_smaps(5)). */
function writablePages(pid: number): readonly (readonly [number, number])[] {
  const mappings: [number, number][] = []
  let current: [number, number] | null = null
  for (const line of textOf(`/proc/${pid}/smaps`).split('\n')) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line)
    if (head !== null)
      current = head[3]?.startsWith('rw') === true ? [Number.parseInt(head[1] ?? '', 16), Number.parseInt(head[2] ?? '', 16)] : null
    else if (current !== null && /^Rss:\s+[1-9]/.test(line)) mappings.push(current)
  }
  return mappings
}

function* memoryOf(pid: number, start: number, end: number): Generator<Buffer> {
  let descriptor: number
  try {
    descriptor = openSync(`/proc/${pid}/mem`, 'r')
  } catch {
    return
  }
  try {
    let tail: Buffer = Buffer.alloc(0)
    for (let at = start; at < end; at += piece) {
      const buffer = Buffer.alloc(Math.min(piece, end - at))
      let read = 0
      try {
        read = readSync(descriptor, buffer, 0, buffer.length, at)
      } catch {
        // The page does not exist.
      }
      const data: Buffer = Buffer.concat([tail, buffer.subarray(0, read)])
      yield data
      tail = data.subarray(Math.max(0, data.length - 4_096))
    }
  } finally {
    closeSync(descriptor)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** Returns the files in a directory that contain one of these secrets in any encoding, except those in `without`. */
export function filesWith(root: string, words: Readonly<Record<string, string>>, without: string): readonly string[] {
  const finder = new Finder(Object.values(words).flatMap((word) => spellings(Buffer.from(word)).map((each) => Buffer.from(each))))
  return readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || (without !== '' && file.startsWith(`${without}/`))) return []
    return finder.ranges(readFileSync(file)).length > 0 ? [file] : []
  })
}

/** Returns the maximum growth of resident memory while `act` ran, in MiB. */
export async function growth(act: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  await act().finally(() => clearInterval(watch))
  return (most - before) / 1_048_576
}
