/** A run of lines that were taken out and put in, by their numbers from 0: `[from, to)` of each side. */
export interface Hunk {
  readonly old: readonly [from: number, to: number]
  readonly new: readonly [from: number, to: number]
}

/** More edits than this are shown as one replacement of all that lies between the first and the last. */
const mostEdits = 1500

/**
 * The shortest edit between two lists of lines (Myers, "An O(ND) Difference Algorithm and Its Variations", 1986), in
 * order. Bounded: beyond `mostEdits` the middle is one hunk.
 */
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
  const trace = edits(old.slice(start, oldEnd), now.slice(start, newEnd))
  return trace === null ? [whole] : hunksOf(trace, oldEnd - start, newEnd - start, start)
}

/** The furthest points of each round; null: too many edits. */
function edits(a: readonly string[], b: readonly string[]): readonly Int32Array[] | null {
  const most = Math.min(a.length + b.length, mostEdits)
  const trace: Int32Array[] = []
  let last = new Int32Array(3)
  for (let d = 0; d <= most; d++) {
    // Index k + d + 1 holds the furthest x on diagonal k; `last` is shifted by one less.
    const here = new Int32Array(2 * d + 3)
    for (let k = -d; k <= d; k += 2) {
      const from = (at: number): number => last[at + d] ?? 0
      let x = d === 0 ? 0 : k === -d || (k !== d && from(k - 1) < from(k + 1)) ? from(k + 1) : from(k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      here[k + d + 1] = x
      if (x >= a.length && x - k >= b.length) {
        trace.push(here)
        return trace
      }
    }
    trace.push(here)
    last = here
  }
  return null
}

function hunksOf(trace: readonly Int32Array[], aLength: number, bLength: number, offset: number): readonly Hunk[] {
  const hunks: { old: [number, number]; new: [number, number] }[] = []
  let [x, y] = [aLength, bLength]
  for (let d = trace.length - 1; d > 0; d--) {
    const k = x - y
    const before = (at: number): number => trace[d - 1]?.[at + d] ?? 0
    const down = k === -d || (k !== d && before(k - 1) < before(k + 1))
    const fromK = down ? k + 1 : k - 1
    const fromX = before(fromK)
    const fromY = fromX - fromK
    const [toX, toY] = down ? [fromX, fromY + 1] : [fromX + 1, fromY]
    const next = hunks[0]
    if (next !== undefined && next.old[0] === toX + offset && next.new[0] === toY + offset) {
      next.old[0] = fromX + offset
      next.new[0] = fromY + offset
    } else hunks.unshift({ old: [fromX + offset, toX + offset], new: [fromY + offset, toY + offset] })
    ;[x, y] = [fromX, fromY]
  }
  return hunks
}
