/** One variable of a git configuration. */
export interface GitConfigEntry {
  /** The section and the name in lower case, with the subsection unchanged: `core.hookspath`, `filter.X y.clean`. */
  readonly key: string
  /** The value; null for a name without a value, which git treats as true. */
  readonly value: string | null
}

export interface GitConfigText {
  readonly entries: readonly GitConfigEntry[]
  /** The place of each entry in the text, from its name to the end of its value, without the line break. */
  readonly places: readonly { readonly start: number; readonly end: number }[]
  /** The first line that makes git refuse the file, counted from 1; null: git accepts the file. */
  readonly badLine: number | null
}

/**
 * Reads a configuration as git does (git-config(1), Syntax; git_parse_source in git's config.c). Git stops at a bad line. This reader
 * continues with the next one, because the paths that the file names matter as soon as its user has fixed it. Blanks inside a value are
 * kept, as since git 2.45; older versions replaced each with a space.
 */
export function readGitConfig(text: string): GitConfigText {
  const from = new Characters(text, text.startsWith('\ufeff') ? 1 : 0)
  const entries: GitConfigEntry[] = []
  const places: { start: number; end: number }[] = []
  let section = ''
  for (let each = from.next(); each !== '\n' || !from.ended; each = from.next()) {
    if (isSpace(each)) continue
    if (each === '#' || each === ';') from.skipLine()
    else if (each === '[') section = `${headerOf(from)}.`
    else if (/[A-Za-z]/.test(each)) {
      const start = from.at - 1
      const entry = entryOf(from, section, each)
      if (entry === null) continue
      entries.push(entry)
      places.push({ start, end: from.lineEnd })
    } else from.refuseLine(each)
  }
  return { entries, places, badLine: from.badLine }
}

class Characters {
  readonly #text: string
  at: number
  /** The place of the last line break that was read, or the end of the text. */
  lineEnd = 0
  #line = 1
  badLine: number | null = null
  ended = false

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  /** Returns the next character. CR LF counts as a line break, and so does each read at the end. */
  next(): string {
    const [start, each] = [this.at, this.#text[this.at] ?? '']
    this.ended = each === ''
    this.at += each === '\r' && this.#text[start + 1] === '\n' ? 2 : 1
    if (each !== '' && each !== '\n' && (each !== '\r' || this.#text[this.at - 1] !== '\n')) return each
    this.lineEnd = Math.min(start, this.#text.length)
    this.#line++
    return '\n'
  }

  skipLine(): void {
    while (this.next() !== '\n');
  }

  /** Marks the current line as bad. `last` is the last character read. If it is a line break, the line has already ended. */
  refuse(last: string): void {
    this.badLine ??= last === '\n' ? this.#line - 1 : this.#line
  }

  refuseLine(last: string): void {
    this.refuse(last)
    if (last !== '\n') this.skipLine()
  }
}

/** Reads a section header after `[`, up to `]`. */
function headerOf(from: Characters): string {
  let name = ''
  for (;;) {
    const each = from.next()
    if (each === ']') {
      if (name === '') from.refuse(each)
      return name
    }
    if (isSpace(each)) return name + subsectionOf(from, each)
    if (!/[A-Za-z0-9.-]/.test(each)) {
      from.refuseLine(each)
      return name
    }
    name += lower(each)
  }
}

/** Reads `"…"]`. Returns the subsection with the dot that precedes it in a key. */
function subsectionOf(from: Characters, space: string): string {
  let each = space
  while (isSpace(each) && each !== '\n') each = from.next()
  if (each !== '"') {
    from.refuseLine(each)
    return ''
  }
  let name = '.'
  for (each = from.next(); each !== '"'; each = from.next()) {
    if (each === '\\') each = from.next()
    if (each === '\n') {
      from.refuse(each)
      return name
    }
    name += each
  }
  each = from.next()
  if (each !== ']') from.refuseLine(each)
  return name
}

function entryOf(from: Characters, section: string, first: string): GitConfigEntry | null {
  let name = first
  let each = from.next()
  for (; /[A-Za-z0-9-]/.test(each); each = from.next()) name += each
  while (each === ' ' || each === '\t') each = from.next()
  // Git treats the key as a C string.
  const key = upToNul(section + lower(name))
  if (each === '\n') return { key, value: null }
  if (each === '=') return { key, value: upToNul(restOf(from)) }
  from.refuseLine(each)
  return null
}

function restOf(from: Characters): string {
  let value = ''
  /** The length without trailing blanks. */
  let solid = 0
  let quoted = false
  for (let each = from.next(); ; each = from.next()) {
    if (each === '\n') {
      if (quoted) from.refuse(each)
      return quoted ? value : value.slice(0, solid)
    }
    if (isSpace(each) && !quoted) {
      if (value !== '') value += each
      continue
    }
    if ((each === '#' || each === ';') && !quoted) {
      from.skipLine()
      return value.slice(0, solid)
    }
    if (each === '"') quoted = !quoted
    else if (each === '\\') value += escapeOf(from)
    else value += each
    solid = value.length
  }
}

const escapes = new Map([
  ['t', '\t'],
  ['b', '\b'],
  ['n', '\n'],
  ['\\', '\\'],
  ['"', '"'],
  // The value continues on the next line.
  ['\n', ''],
])

function escapeOf(from: Characters): string {
  const each = from.next()
  const stands = escapes.get(each)
  if (stands === undefined) from.refuse(each)
  return stands ?? each
}

/** Returns true for a space as in git's own isspace, which excludes vertical tab and form feed (git's ctype.c). */
function isSpace(each: string): boolean {
  return each === ' ' || each === '\t' || each === '\n' || each === '\r'
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (each) => each.toLowerCase())
}

function upToNul(text: string): string {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
