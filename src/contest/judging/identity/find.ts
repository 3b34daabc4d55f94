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
  /^[ \t#/*;<!-]*(?:co-authored-by|signed-off-by|authored-by|author|generated (?:with|by|using)|created (?:with|by)|written by)\b[ \t]*:?[ \t]*\S.*$/gimu
const longest = 80

/** What a file tells by its path and its text; at most one of each word in a line. `text` is null where it is none. */
export function telltales(path: string, text: string | null, words: RegExp | null): readonly Telltale[] {
  const found: Telltale[] = []
  if (isInstructionFile(path)) found.push({ path, line: null, what: 'a file of instructions for an agent' })
  else for (const word of matches(path, words)) found.push({ path, line: null, what: word })
  if (text === null) return found
  const seen = new Set<string>()
  const add = (at: number, what: string): void => {
    const line = lineAt(text, at)
    const key = `${line} ${what.toLowerCase()}`
    if (!seen.has(key)) found.push({ path, line, what })
    seen.add(key)
  }
  for (const match of text.matchAll(author)) add(match.index, match[0].trim().slice(0, longest))
  for (const match of words === null ? [] : text.matchAll(words)) add(match.index, match[0])
  return found.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
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

/** A path without what tells; files of instructions keep neither their name nor their directory's. */
export function redactedPath(path: string, words: RegExp | null): string {
  return path
    .split('/')
    .map((name) => (isInstructionFile(name) ? 'instructions' : words === null ? name : name.replace(words, 'redacted')))
    .join('/')
}

function lineAt(text: string, at: number): number {
  let line = 1
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line += 1
  return line
}
