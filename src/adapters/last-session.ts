import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, type Stats } from 'node:fs'
import path from 'node:path'
import { kindBelow } from '../files/kind-below.ts'
import { lstatOrNull } from '../files/tree-names.ts'
import { isConversationId } from './output/conversation.ts'

/** The location of the sessions of an agent's CLI, and the way to continue one. */
export interface SessionNotes {
  /** The directory in the private home. */
  readonly directory: string
  /** A pattern for files that belong to one session or name it, by path relative to the directory. */
  readonly file: RegExp
  /** The part of the newest such file that contains the session's ID, and a pattern whose last match has the ID in its first group. */
  readonly id: { readonly in: 'name' | 'beginning' | 'end'; readonly pattern: RegExp }
  /** Returns the CLI's arguments that continue a session. */
  readonly args: (id: string) => readonly string[]
}

const mostEntries = 20_000
const mostDepth = 6
const mostBytes = 64 * 1024

/**
 * Returns the arguments that continue the newest session in a private home that was written after a time (milliseconds since the epoch), or
 * null.
 */
export function lastSession(notes: SessionNotes, home: string, since: number): readonly string[] | null {
  const root = path.join(home, notes.directory)
  // A cell could write to the home, and a link in it would lead elsewhere.
  if (kindBelow(home, root) !== 'directory') return null
  let newest: { readonly file: string; readonly mtimeMs: number } | null = null
  let entries = 0
  const queue = [{ directory: root, depth: 0 }]
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const name of namesIn(at.directory)) {
      if (++entries > mostEntries) return null
      const file = path.join(at.directory, name)
      const stat = lstatOrNull(file)
      if (stat?.isDirectory() && at.depth < mostDepth) queue.push({ directory: file, depth: at.depth + 1 })
      if (!isWritten(stat, since) || !notes.file.test(path.relative(root, file))) continue
      if (newest === null || stat.mtimeMs > newest.mtimeMs) newest = { file, mtimeMs: stat.mtimeMs }
    }
  }
  if (newest === null) return null
  const text = notes.id.in === 'name' ? path.basename(newest.file) : partOf(newest.file, notes.id.in)
  const id = [...text.matchAll(new RegExp(notes.id.pattern, 'g'))].at(-1)?.[1] ?? ''
  return isConversationId(id) ? notes.args(id) : null
}

function isWritten(stat: Stats | null, since: number): stat is Stats {
  return stat?.isFile() === true && stat.mtimeMs >= since
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function partOf(file: string, part: 'beginning' | 'end'): string {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return ''
  }
  try {
    const facts = fstatSync(descriptor)
    if (!facts.isFile()) return ''
    const buffer = Buffer.alloc(Math.min(mostBytes, facts.size))
    return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, part === 'end' ? facts.size - buffer.length : 0))
  } catch {
    return ''
  } finally {
    closeSync(descriptor)
  }
}
