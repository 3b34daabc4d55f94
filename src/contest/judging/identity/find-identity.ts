import { isInstructionFile } from '../../../adapters/agent-facts.ts'

/** Text in a submission that reveals its author. */
export interface Telltale {
  readonly path: string
  /** The line, counted from 1; null: the text is in the path. */
  readonly line: number | null
  readonly what: string
}

/** A pattern for lines that name an author, as in a commit message or a file header. */
const author =
  /^[ \t#/*;<!-]*(?:co-authored-by|signed-off-by|authored-by|author|generated (?:with|by|using)|created (?:with|by)|written by)\b(?:[ \t]*:)?[ \t]*\S.*$/gimu
const longest = 80
const mostInText = 1000

/**
 * Returns text that reveals the author in the path and content of a file, each word at most once per line. `text`: null if it is not text.
 */
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

/** Returns the matches of a pattern in a text with their lines, up to a useful number. */
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

/** Returns the distinct words that match in a judge's text, in lower case. */
export function matches(text: string, words: RegExp | null): readonly string[] {
  if (words === null) return []
  return [...new Set([...text.matchAll(words)].map(([word]) => word.toLowerCase()))]
}

/** Returns the text with everything that reveals the author replaced. */
export function redacted(text: string, words: RegExp | null): string {
  const lines = text.replace(author, '[redacted]')
  return words === null ? lines : lines.replace(words, '[redacted]')
}

/** The longest file name, which leaves room for a number that keeps equal names apart. `longestPath`: the longest path. */
const longestName = 240
const longestPath = 1024

/**
 * Returns a path without words that reveal the author, short enough for a file system. Names of instruction files and of their directories
 * are replaced.
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
