import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { readRegular } from '../../files/read-regular.ts'
import { type Entry, isLink } from '../manifest.ts'
import type { Change } from './change.ts'
import { diffLines } from './line-diff.ts'

/** The difference inside a file. */
export type TextDiff =
  | { readonly kind: 'text'; readonly added: number; readonly removed: number; readonly lines: readonly DiffLine[] }
  /** `moved`: the project's file has changed since it was copied, so the old content is gone. */
  | { readonly kind: 'binary' | 'too-large' | 'link' | 'moved' | 'unreadable' | 'none' }

/** One line of a unified diff, without its line feed. `end`: the file ends without a line feed here. */
export interface DiffLine {
  readonly sign: '@' | ' ' | '+' | '-' | 'end'
  readonly text: string
}

const mostBytes = 2 * 1024 * 1024
const fewLines = 3

/**
 * Returns the difference that a change makes, line by line. The old side is read from the project, which still has the copied
 * content unless `moved`. Only reads files and runs no program. `context`: the number of lines around each change.
 */
export async function textDiff(change: Change, project: string, tree: string, moved: boolean, context = fewLines): Promise<TextDiff> {
  if (change.kind === 'mode') return { kind: 'none' }
  if ((change.base !== null && isLink(change.base)) || (change.now !== null && isLink(change.now))) return { kind: 'link' }
  if (moved) return { kind: 'moved' }
  const [old, now] = await Promise.all([linesOf(change.base, project), linesOf(change.now, tree)])
  if (typeof old === 'string') return { kind: old }
  if (typeof now === 'string') return { kind: now }
  return unified(old, now, context)
}

async function linesOf(entry: Entry | null, root: string): Promise<readonly string[] | 'binary' | 'too-large' | 'unreadable'> {
  if (entry === null) return []
  const read = await readRegular(path.join(root, entry.path), mostBytes)
  if (!read.ok) return read.why === 'too-large' ? 'too-large' : 'unreadable'
  return isUtf8(read.bytes) && !read.bytes.includes(0) ? splitLines(read.bytes.toString('utf8')) : 'binary'
}

/** Returns each line with its line feed. The last one may have no line feed. */
export function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** Returns a unified diff with three lines around each change (POSIX diff -u), or with `context` lines. */
export function unified(old: readonly string[], now: readonly string[], context = fewLines): TextDiff & { readonly kind: 'text' } {
  const hunks = diffLines(old, now)
  const lines: DiffLine[] = []
  let [added, removed] = [0, 0]
  const put = (sign: ' ' | '+' | '-', text: string): void => {
    lines.push({ sign, text: text.endsWith('\n') ? text.slice(0, -1) : text })
    if (!text.endsWith('\n')) lines.push({ sign: 'end', text: 'No newline at end of file' })
  }
  for (let at = 0; at < hunks.length; ) {
    let end = at
    while (end + 1 < hunks.length && (hunks[end + 1]?.old[0] ?? 0) - (hunks[end]?.old[1] ?? 0) <= 2 * context) end++
    const group = hunks.slice(at, end + 1)
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) break
    const before = Math.min(context, first.old[0])
    const after = Math.min(context, old.length - last.old[1])
    const span = (from: number, to: number): string => `${to === from ? from : from + 1},${to - from}`
    const [a, b] = [span(first.old[0] - before, last.old[1] + after), span(first.new[0] - before, last.new[1] + after)]
    lines.push({ sign: '@', text: `-${a} +${b}` })
    let line = first.old[0] - before
    for (const each of group) {
      for (; line < each.old[0]; line++) put(' ', old[line] ?? '')
      for (; line < each.old[1]; line++) put('-', old[line] ?? '')
      for (const text of now.slice(...each.new)) put('+', text)
      removed += each.old[1] - each.old[0]
      added += each.new[1] - each.new[0]
    }
    for (; line < last.old[1] + after; line++) put(' ', old[line] ?? '')
    at = end + 1
  }
  return { kind: 'text', added, removed, lines }
}
