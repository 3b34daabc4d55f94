/** The share of its length by which a name may differ and still be suggested. */
const tolerance = 0.4

/**
 * Returns the known name that was most likely meant: by edit distance with adjacent swaps (optimal string alignment), ignoring case, or
 * because it starts with the word. Null if no name is near. If several are equally near, the first known one wins.
 */
export function nearest(word: string, known: readonly string[]): string | null {
  const asked = word.slice(0, 64).toLowerCase()
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const name of known) {
    const candidate = name.toLowerCase()
    const starts = asked.length >= 2 && candidate.startsWith(asked)
    const distance = starts ? 0.5 : editDistance(asked, candidate)
    const limit = Math.max(1, Math.floor(Math.max(asked.length, candidate.length) * tolerance))
    if (distance <= limit && (best === null || distance < best.distance)) best = { name, distance }
  }
  return best?.name ?? null
}

function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let cost = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
