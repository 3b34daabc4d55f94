import { isInstructionFile } from '../../../adapters/facts.ts'

/** Something in a submission that reveals its author. */
export interface Telltale {
  readonly path: string
  /** From 1; null: it is in the path. */
  readonly line: number | null
  readonly what: string
}

/** Lines that name an author, as in a commit message or in the header of a file. */
const author =
  /^[ \t#/*;<!-]*(?:co-authored-by|signed-off-by|authored-by|author|generated (?:with|by|using)|created (?:with|by)|written by)\b(?:[ \t]*:)?[ \t]*\S.*$/gimu
const longest = 80
const mostInText = 1000

/** Returns what reveals the author in the path and text of a file, each word at most once per line. `text` is null if it is not text. */
export function telltales(path: string, text: string | null, words: RegExp | null): readonly Telltale[] {
  const found: Telltale[] = []
  if (isInstructionFile(path)) found.push({ path, line: null, what: 'a file of instructions for an agent' })
  else for (const word of matches(path, words)) found.push({ path, line: null, what: word })
  if (text === null) return found
  const seen = new Set<string>()
  for (const { line, what } of [...byLine(text, author), ...(words === null ? [] : byLine(text, words))]) {
    const key = `${line} ${what.toLowerCase()}`
    if (!seen.has(key)) found.push({ path, line, what })
    seen.add(key)
  }
  return found.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

/** Returns the matches of a pattern in a text, with the line of each, up to a useful number. */
function byLine(text: string, pattern: RegExp): { readonly line: number; readonly what: string }[] {
  const found: { line: number; what: string }[] = []
  let line = 1
  let from = 0
  for (const match of text.matchAll(pattern)) {
    // Each line break is counted only once.
    for (let next = text.indexOf('\n', from); next >= 0 && next < match.index; next = text.indexOf('\n', from)) {
      line += 1
      from = next + 1
    }
    found.push({ line, what: match[0].trim().slice(0, longest) })
    if (found.length >= mostInText) break
  }
  return found
}

/** Returns each word that occurs in a judge's text once, in lower case. */
export function matches(text: string, words: RegExp | null): readonly string[] {
  if (words === null) return []
  return [...new Set([...text.matchAll(words)].map(([word]) => word.toLowerCase()))]
}

/** Returns the text without anything that reveals the author. */
export function redacted(text: string, words: RegExp | null): string {
  const lines = text.replace(author, '[redacted]')
  return words === null ? lines : lines.replace(words, '[redacted]')
}

/** The longest name that file systems allow, less room for a number that keeps equal names apart; and the longest path. */
const longestName = 240
const longestPath = 1024

/**
 * Returns a path without words that reveal the author, short enough for a file system. Instruction files lose their name and that of their
 * directory.
 */
export function redactedPath(path: string, words: RegExp | null): string {
  const without = path
    .split('/')
    .map((name) => (isInstructionFile(name) ? 'instructions' : words === null ? name : bounded(name, name.replace(words, 'redacted'))))
    .join('/')
  return without === path || Buffer.byteLength(without) <= longestPath ? without : 'redacted'
}

function bounded(name: string, without: string): string {
  return name === without || Buffer.byteLength(without) <= longestName ? without : 'redacted'
}
