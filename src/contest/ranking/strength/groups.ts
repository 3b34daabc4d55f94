/**
 * Returns the participants 0 … n−1 in groups that are connected by comparisons, directly or through others, the largest group first. `met`
 * lists the participants that were judged together. Strengths of different groups cannot be compared, so each group needs its own estimate.
 */
export function connectedGroups(n: number, met: Iterable<readonly number[]>): number[][] {
  const group = Array.from({ length: n }, (_, place) => place)
  for (const places of met) {
    const joined = new Set(places.map((place) => group[place]))
    const to = Math.min(...places.map((place) => group[place] ?? 0))
    for (const [place, from] of group.entries()) if (joined.has(from)) group[place] = to
  }
  const groups = Map.groupBy(group.keys(), (place) => group[place])
  return [...groups.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
}
