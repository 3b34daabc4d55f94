import { isInstructionFile } from '../../../adapters/facts.ts'

/** Something in a submission that tells whose it is. */
export interface Telltale {
  readonly path: string
  /** From 1; null: it is in the path. */
  readonly line: number | null
  readonly what: string
}

/** Lines that name an author: of a commit message, of a file's head. */
const author =
  /^[ \t#/*;<!-]*(?:co-authored-by|signed-off-by|authored-by|author|generated (?:with|by|using)|created (?:with|by)|written by)\b(?:[ \t]*:)?[ \t]*\S.*$/gimu
const longest = 80
const mostInText = 1000

/** What a file tells by its path and its text; at most one of each word in a line. `text` is null if it is not text. */
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

/** What a pattern finds in a text, with the line of each; no more than is of use to anybody. */
function byLine(text: string, pattern: RegExp): { readonly line: number; readonly what: string }[] {
  const found: { line: number; what: string }[] = []
  let line = 1
  let from = 0
  for (const match of text.matchAll(pattern)) {
    // Each line break is looked at once.
    for (let next = text.indexOf('\n', from); next >= 0 && next < match.index; next = text.indexOf('\n', from)) {
      line += 1
      from = next + 1
    }
    found.push({ line, what: match[0].trim().slice(0, longest) })
    if (found.length >= mostInText) break
  }
  return found
}

/** The words in a text of a judge, each once, in lower case. */
export function matches(text: string, words: RegExp | null): readonly string[] {
  if (words === null) return []
  return [...new Set([...text.matchAll(words)].map(([word]) => word.toLowerCase()))]
}

/** The same text without what tells. */
export function redacted(text: string, words: RegExp | null): string {
  const lines = text.replace(author, '[redacted]')
  return words === null ? lines : lines.replace(words, '[redacted]')
}

/** What a file system takes for a name, less room for the number of one of several that are the same; and for a path. */
const longestName = 240
const longestPath = 1024

/** A path without what tells, and no longer than a file system takes; files of instructions keep neither their name nor their directory's. */
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
