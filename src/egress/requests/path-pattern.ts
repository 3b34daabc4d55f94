import { canonicalPath } from './path.ts'

/** One reading of a path, with its lower-case form. Created once for all patterns that it is compared with. */
export interface Reading {
  readonly text: string
  readonly folded: string
}

export const readingOf = (path: string): Reading => ({ text: path, folded: path.toLowerCase() })

export interface PathPattern {
  /** Returns true if the pattern matches the whole path. */
  matches(path: Reading): boolean
}

/**
 * The text that may precede a piece: nothing, any part of one segment (`*`), any text (`**` within a segment), or whole segments (`/**`
 * before another one).
 */
type Gap = 'none' | 'part' | 'text' | 'segments'

interface Piece {
  readonly gap: Gap
  /** The separator of the segments: a slash, or an escaped one, `%2F`. */
  readonly texts: readonly string[]
}

/**
 * Compiles a path pattern: `*` matches part of one segment, `**` as a whole segment matches any number of segments, including none,
 * and elsewhere any text. Its escapes are first converted to the canonical form.
 *
 * Matching goes through the pattern once and keeps every place in the path that the pattern may have reached. Its work is therefore at most
 * the length of the pattern times the length of the path. An attacker may choose both to stall the host.
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

/** Returns the possible ends of a piece that starts after its gap at one of the places. Places are ascending and unique. */
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
        // All later places in a segment are reachable from the first one.
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

  /** Adds a place. Ignores -1. */
  add(place: number): void {
    if (place < 0) return
    if (place <= (this.#places.at(-1) ?? -1)) this.#ordered = false
    this.#places.push(place)
  }

  ascending(): readonly number[] {
    return this.#ordered ? this.#places : [...new Set(this.#places)].sort((one, other) => one - other)
  }
}

/** Returns the end of the piece at a place; -1 if the piece is not there. */
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

/** Returns every place that is reachable from the given ones by zero or more whole segments. Segments are not empty. */
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

/** Calls `found` with every place from `first` to `last` where the text starts. */
function eachOccurrence(text: string, path: string, first: number, last: number, found: (place: number) => void): void {
  const within = path.slice(first, last + text.length)
  for (let at = within.indexOf(text); at >= 0 && at <= last - first; at = within.indexOf(text, at + 1)) {
    found(first + at)
    // Empty text also occurs at the end, where indexOf() would find it endlessly.
    if (at === within.length) return
  }
}

/**
 * Decodes escapes of visible characters, because each path is also judged decoded. The slash is an exception: `%2F` distinguishes a name
 * that contains a slash from two segments (GitLab: `projects/group%2Fname`), so both forms are kept.
 */
function canonicalPattern(text: string): string {
  const canonical = canonicalPath(text)
  return canonical.replace(/%(?:2[1-46-9A-E]|[3-6][0-9A-F]|7[0-9A-E])/gi, (coded) =>
    String.fromCharCode(Number.parseInt(coded.slice(1), 16)),
  )
}
