/** A here-document of a shell line: its text up to the line of its name, and whether the shell expands variables in it. */
export interface HereDocument {
  readonly name: string
  readonly body: string
  readonly isExpanded: boolean
  /** The body and the line that ends it, as they were written. */
  readonly raw: string
}

/** A line of shell or of a Dockerfile. Continued lines are one. Numbers start at 1. */
export interface ShellLine {
  readonly text: string
  readonly number: number
  readonly documents: readonly HereDocument[]
  /** The name of a here-document that has no end. */
  readonly open?: string
}

/** A command, without the operator that separates it from the next one. */
export interface ShellCommand {
  readonly text: string
  readonly documents: readonly HereDocument[]
  /** The operator before the command; empty for the first. */
  readonly after: string
}

// The alternatives start with different characters, so that no part of a text is searched from each of its positions.
const marks = /<<<|<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))|'[^']*'|"(?:[^"\\]|\\.)*(?:"|\\?$)|\\.|[^'"\\<]+|./gs

/**
 * Returns the lines of a shell script or a Dockerfile. `hasDocuments`: whether a line can have here-documents.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_07_04
 */
export function linesOf(text: string, hasDocuments: (line: string) => boolean = () => true): ShellLine[] {
  const raw = text.split(/\r?\n/)
  const found: ShellLine[] = []
  for (let at = 0; at < raw.length; at += 1) {
    if (/^\s*(?:#|$)/.test(raw[at] ?? '')) continue
    const number = at + 1
    const parts = [(raw[at] ?? '').trim()]
    while (parts.at(-1)?.endsWith('\\') === true && at + 1 < raw.length) {
      at += 1
      if (!/^\s*#/.test(raw[at] ?? '')) parts.push((raw[at] ?? '').trim())
    }
    const line = parts
      .map((each) => (each.endsWith('\\') ? each.slice(0, -1).trimEnd() : each))
      .join(' ')
      .trimEnd()
    const documents: HereDocument[] = []
    let open: string | undefined
    for (const { name, isExpanded, isIndented } of line.includes('<<') && hasDocuments(line) ? namesIn(line) : []) {
      const start = at + 1
      const strip = (each: string): string => (isIndented ? each.replace(/^\t+/, '') : each)
      let end = start
      while (end < raw.length && strip(raw[end] ?? '') !== name) end += 1
      if (end === raw.length) {
        open = name
        at = raw.length
        break
      }
      const lines = raw.slice(start, end)
      documents.push({
        name,
        isExpanded,
        body: lines.map((each) => `${strip(each)}\n`).join(''),
        raw: raw.slice(start, end + 1).join('\n'),
      })
      at = end
    }
    found.push({ text: line, number, documents, ...(open === undefined ? {} : { open }) })
  }
  return found
}

function namesIn(line: string): { readonly name: string; readonly isExpanded: boolean; readonly isIndented: boolean }[] {
  return [...line.matchAll(marks)].flatMap(([mark, dash, single, double, plain]) => {
    const name = single ?? double ?? plain
    return name === undefined ? [] : [{ name, isExpanded: plain !== undefined && !mark.includes('\\'), isIndented: dash === '-' }]
  })
}

/** Returns a command without its here-documents' marks. */
export function withoutMarks(command: string): string {
  return command.replace(marks, (each, _, single, double, plain) => ((single ?? double ?? plain) === undefined ? each : ' '))
}

/** Splits a line at `&&`, `||`, `;` and `|` outside of quotes. A here-document belongs to the command that names it. */
export function commandsIn({ text, documents }: ShellLine): ShellCommand[] {
  const parts: { text: string; after: string }[] = [{ text: '', after: '' }]
  for (const [token] of text.matchAll(/'[^']*'|"(?:[^"\\]|\\.)*(?:"|\\?$)|\\.|&&|\|\||[;|]|[^'"\\&;|]+|./gs)) {
    if (/^(?:&&|\|\||[;|])$/.test(token)) parts.push({ text: '', after: token })
    else (parts.at(-1) as { text: string }).text += token
  }
  const left = [...documents]
  return parts.map((each) => ({ text: each.text.trim(), after: each.after, documents: left.splice(0, namesIn(each.text).length) }))
}

/** Returns a command as a shell reads it, with its here-documents. `more` is added before them. */
export function commandText({ text, documents }: ShellCommand, more = ''): string {
  return [text + more, ...documents.map(({ raw }) => raw)].join('\n')
}

/**
 * Returns a text without its quoted parts, which a shell does not parse as syntax. A double-quoted part with `$(` or backticks leaves a
 * backtick. An unclosed quote extends to the end, because otherwise each quote in the rest would cause another search.
 */
export function unmarked(text: string): string {
  return text.replace(/'[^']*'/g, '').replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, (each) => (/\$\(|`/.test(each) ? '`' : ''))
}

/** Splits a command as a shell does, and removes the quotes. */
export function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs)].map(([word]) => unquoted(word))
}

export function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, escaped) => single ?? double ?? escaped)
}

export function shortened(text: string): string {
  const [line = ''] = text.split('\n')
  return line.length > 60 || line !== text ? `${line.slice(0, 60)}…` : text
}
