import { type ChangeObject, diffArrays } from 'diff'

/** Consecutive lines that were replaced, by line numbers from 0: `[from, to)` on each side. */
export interface Hunk {
  readonly old: readonly [from: number, to: number]
  readonly new: readonly [from: number, to: number]
}

/**
 * The maximum number of edits, because the time grows with their square. Beyond it, everything between the first and the last is one hunk.
 */
const mostEdits = 1500

/** Returns the shortest edit between two lists of lines, in order. Beyond `mostEdits`, the middle is one hunk. */
export function diffLines(old: readonly string[], now: readonly string[]): readonly Hunk[] {
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let [oldEnd, newEnd] = [old.length, now.length]
  while (oldEnd > start && newEnd > start && old[oldEnd - 1] === now[newEnd - 1]) {
    oldEnd--
    newEnd--
  }
  if (start === oldEnd && start === newEnd) return []
  const whole: Hunk = { old: [start, oldEnd], new: [start, newEnd] }
  if (start === oldEnd || start === newEnd) return [whole]
  const changes = diffArrays(old.slice(start, oldEnd), now.slice(start, newEnd), { maxEditLength: mostEdits })
  return changes === undefined ? [whole] : hunksOf(changes, start)
}

function hunksOf(changes: readonly ChangeObject<string[]>[], start: number): readonly Hunk[] {
  const hunks: Hunk[] = []
  let [oldAt, newAt] = [start, start]
  let begun = false
  for (const { added, removed, count } of changes) {
    const from = [oldAt, newAt] as const
    if (!added) oldAt += count
    if (!removed) newAt += count
    const isChange = added || removed
    if (isChange) {
      const first = begun ? hunks.pop() : undefined
      hunks.push({ old: [first?.old[0] ?? from[0], oldAt], new: [first?.new[0] ?? from[1], newAt] })
    }
    begun = isChange
  }
  return hunks
}
