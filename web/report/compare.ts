import { diffLines } from 'diff'

/** One row of two texts side by side, with line numbers from 0. Null if that side has no such line. */
export interface ComparedRow {
  readonly left: number | null
  readonly right: number | null
  readonly isSame: boolean
}

/** The number of edits above which two texts are shown side by side without alignment. */
const mostEdits = 4000

/** Returns the rows of two aligned texts (Myers). */
export function comparedRows(left: string, right: string): readonly ComparedRow[] {
  const rows: ComparedRow[] = []
  const changes = diffLines(left, right, { maxEditLength: mostEdits }) ?? [
    { removed: true, added: false, count: countOf(left) },
    { removed: false, added: true, count: countOf(right) },
  ]
  let [a, b] = [0, 0]
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at]
    if (change === undefined) continue
    const { count = 0 } = change
    if (!change.removed && !change.added) {
      for (let row = 0; row < count; row += 1) rows.push({ left: a++, right: b++, isSame: true })
      continue
    }
    const after = changes[at + 1]
    const isReplaced = change.removed === true && after?.added === true
    const removed = change.removed === true ? count : 0
    const added = isReplaced ? (after.count ?? 0) : change.added === true ? count : 0
    for (let row = 0; row < Math.max(removed, added); row += 1)
      rows.push({ left: row < removed ? a++ : null, right: row < added ? b++ : null, isSame: false })
    if (isReplaced) at += 1
  }
  return rows
}

function countOf(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
