import { canonicalPath } from './path.ts'

/** One reading of a path, and the same without regard to case: made once for all the patterns that it is held against. */
export interface Reading {
  readonly text: string
  readonly folded: string
}

export const readingOf = (path: string): Reading => ({ text: path, folded: path.toLowerCase() })

export interface PathPattern {
  /** True if the pattern describes the whole path. */
  matches(path: Reading): boolean
}

/**
 * The text allowed before a piece: nothing, any part of one segment (`*`), any text (`**` within a segment), or whole segments (`/**` before
 * another one).
 */
type Gap = 'none' | 'part' | 'text' | 'segments'

interface Piece {
  readonly gap: Gap
  /** Joined by a slash, or by a coded one: `%2F`. */
  readonly texts: readonly string[]
}

/**
 * A path pattern, ready to be matched: `*` stands for part of one segment, `**` as a whole segment for any number of them, none included, and
 * elsewhere for any rest. Its escapes are brought into the canonical spelling first.
 *
 * Matching goes through the pattern once and keeps every place of the path that the pattern may have come to. So its work is at most the
 * length of the pattern times that of the path, whatever they contain. An attacker may choose both to stall the host.
 */
export function pathPattern(text: string, { ignoreCase }: { readonly ignoreCase: boolean }): PathPattern {
  const canonical = canonicalPattern(text)
  const { pieces, anyRest } = piecesOf(ignoreCase ? canonical.toLowerCase() : canonical, ignoreCase ? '%2f' : '%2F')
  const coded = ignoreCase ? '%2f' : '%2F'
  return {
    matches(reading) {
      const path = ignoreCase ? reading.folded : reading.text
      let places: readonly number[] = [0]
      for (const piece of pieces) {
        places = after(piece, path, places, coded)
        if (places.length === 0) return false
      }
      if (!anyRest) return places.at(-1) === path.length
      return places.some((place) => place === path.length || path[place] === '/')
    },
  }
}

function piecesOf(pattern: string, coded: string): { readonly pieces: readonly Piece[]; readonly anyRest: boolean } {
  const parts = pattern.split('/').slice(1)
  const anyRest = parts.at(-1) === '**'
  if (anyRest) parts.pop()
  const pieces: { gap: Gap; text: string }[] = [{ gap: 'none', text: '' }]
  const add = (text: string): void => {
    const last = pieces.at(-1)
    if (last !== undefined) last.text += text
  }
  for (const part of parts) {
    if (part === '**') pieces.push({ gap: 'segments', text: '' })
    else {
      add('/')
      for (const [index, within] of part.split('**').entries()) {
        if (index > 0) pieces.push({ gap: 'text', text: '' })
        for (const [at, text] of within.split(/\*+/).entries()) {
          if (at > 0) pieces.push({ gap: 'part', text: '' })
          add(text)
        }
      }
    }
  }
  return { pieces: pieces.map(({ gap, text }) => ({ gap, texts: text.split(coded) })), anyRest }
}

/** Where a piece may end that begins behind its gap at one of the places. Places are ascending, each there once. */
function after(piece: Piece, path: string, places: readonly number[], coded: string): readonly number[] {
  const ends = new Places()
  const end = (at: number): void => ends.add(endOf(piece.texts, path, at, coded))
  const [first = 0] = places
  switch (piece.gap) {
    case 'none':
      places.forEach(end)
      break
    case 'segments':
      acrossSegments(path, places).forEach(end)
      break
    case 'text':
      eachOccurrence(piece.texts[0] ?? '', path, first, path.length, end)
      break
    case 'part': {
      let limit = -1
      for (const place of places) {
        // From the first place in a segment every other one in it is reached too.
        if (place <= limit) continue
        limit = endOfSegment(path, place)
        eachOccurrence(piece.texts[0] ?? '', path, place, limit, end)
      }
    }
  }
  return ends.ascending()
}

class Places {
  #places: number[] = []
  #ordered = true

  /** -1 is none. */
  add(place: number): void {
    if (place < 0) return
    if (place <= (this.#places.at(-1) ?? -1)) this.#ordered = false
    this.#places.push(place)
  }

  ascending(): readonly number[] {
    return this.#ordered ? this.#places : [...new Set(this.#places)].sort((one, other) => one - other)
  }
}

/** Returns the end of the piece that begins at a place, or -1 if it is not there. */
function endOf(texts: readonly string[], path: string, start: number, coded: string): number {
  let at = start
  for (const [index, text] of texts.entries()) {
    if (index > 0) {
      if (path[at] === '/') at += 1
      else if (path.startsWith(coded, at)) at += coded.length
      else return -1
    }
    if (!path.startsWith(text, at)) return -1
    at += text.length
  }
  return at
}

/** Every place to which one comes from the given ones by whole segments, none included. A segment is not empty. */
function acrossSegments(path: string, places: readonly number[]): readonly number[] {
  const found: number[] = []
  let next = -1
  const emit = (place: number): void => {
    found.push(place)
    if (path[place] !== '/') return
    const end = endOfSegment(path, place + 1)
    next = end > place + 1 ? end : -1
  }
  const emitBefore = (limit: number): void => {
    while (next >= 0 && next < limit) {
      const place = next
      next = -1
      emit(place)
    }
  }
  for (const place of places) {
    emitBefore(place)
    if (next === place) next = -1
    emit(place)
  }
  emitBefore(Number.POSITIVE_INFINITY)
  return found
}

function endOfSegment(path: string, from: number): number {
  const slash = path.indexOf('/', from)
  return slash < 0 ? path.length : slash
}

/** Every place from `first` to `last` where the text begins. */
function eachOccurrence(text: string, path: string, first: number, last: number, found: (place: number) => void): void {
  const within = path.slice(first, last + text.length)
  for (let at = within.indexOf(text); at >= 0 && at <= last - first; at = within.indexOf(text, at + 1)) {
    found(first + at)
    // An empty text is also at the end, and indexOf() says so for ever.
    if (at === within.length) return
  }
}

/**
 * Escapes of visible characters mean the characters, because each path is judged decoded too. A slash is the exception: `%2F` is how a name
 * with a slash in it differs from two segments (GitLab: `projects/group%2Fname`), so both forms stand for themselves.
 */
function canonicalPattern(text: string): string {
  const canonical = canonicalPath(text)
  return canonical.replace(/%(?:2[1-46-9A-E]|[3-6][0-9A-F]|7[0-9A-E])/gi, (coded) =>
    String.fromCharCode(Number.parseInt(coded.slice(1), 16)),
  )
}
