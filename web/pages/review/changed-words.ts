import { diffWordsWithSpace } from 'diff'
import type { DiffLine } from './diff-lines.ts'

/** A piece of a line; all pieces together make up the line. */
export interface Piece {
  readonly text: string
  readonly isChanged: boolean
}

/** Limits that bound the cost of marks: lines of a diff, characters of a line, and edits in a pair of lines. */
const [mostLines, mostCharacters, mostEdits] = [5_000, 1_000, 60]

/** Returns which pieces of a removed and an added line differ, by the positions of the lines in the diff. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<number, readonly Piece[]> {
  const found = new Map<number, readonly Piece[]>()
  if (lines.length > mostLines) return found
  for (const [removed, added] of pairsIn(lines)) {
    const [before, after] = piecesOf(lines[removed]?.text ?? '', lines[added]?.text ?? '')
    if (before === undefined || after === undefined) continue
    found.set(removed, before)
    found.set(added, after)
  }
  return found
}

/** Pairs the first removed line with the first added line that follows, and so on. Notes about a missing final newline are skipped. */
function* pairsIn(lines: readonly DiffLine[]): Generator<readonly [removed: number, added: number]> {
  let [removed, added]: [number[], number[]] = [[], []]
  for (let n = 0; n <= lines.length; n++) {
    const sign = lines[n]?.sign ?? '@'
    if (sign === '\\') continue
    if (sign === '+') {
      added.push(n)
      continue
    }
    if (sign === '-' && added.length === 0) {
      removed.push(n)
      continue
    }
    for (const [place, each] of removed.entries()) {
      const other = added[place]
      if (other !== undefined) yield [each, other]
    }
    ;[removed, added] = [sign === '-' ? [n] : [], []]
  }
}

/** Returns the pieces of a pair of lines; an empty list if they are too long, or too different to be one changed line. */
function piecesOf(before: string, after: string): readonly (readonly Piece[])[] {
  const longer = Math.max(before.length, after.length)
  if (longer > mostCharacters) return []
  const changes = diffWordsWithSpace(before, after, { maxEditLength: mostEdits })
  if (changes === undefined) return []
  const same = changes.reduce((sum, { added, removed, value }) => (added || removed ? sum : sum + value.length), 0)
  if (same * 3 < longer) return []
  return [
    changes.flatMap(({ added, removed, value }) => (added ? [] : [{ text: value, isChanged: removed }])),
    changes.flatMap(({ added, removed, value }) => (removed ? [] : [{ text: value, isChanged: added }])),
  ]
}
