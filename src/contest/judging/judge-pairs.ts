import { shuffled } from './shuffled.ts'

/** Two participants. */
export type Pair = readonly [string, string]

/** The largest number of submissions for which all pairs are compared. */
const mostForAll = 6
const pairsOfMost = (mostForAll * (mostForAll - 1)) / 2

/**
 * Returns the pairs that a judge compares among the submissions that it may see: all of them, or `comparisons` of them, or a part of them
 * if there are more than six submissions. A part is chosen so that all participants are connected over all judges, all of them are compared
 * equally often, and pairs that earlier judges had (`before`) come last. This is an incomplete block design, built step by step.
 */
export function pairsFor(seen: readonly string[], before: readonly Pair[], comparisons?: number): Pair[] {
  const all = (seen.length * (seen.length - 1)) / 2
  const wanted = Math.min(all, comparisons ?? (seen.length > mostForAll ? Math.max(pairsOfMost, seen.length) : all))
  if (wanted === all) return shuffled(seen.flatMap((a, place) => seen.slice(place + 1).map((b): Pair => [a, b])))
  const chosen: Pair[] = []
  while (chosen.length < wanted) chosen.push(nextPair(seen, chosen, [...before, ...chosen]))
  return evened(seen, chosen, before)
}

/** Returns the pair of the least compared participant and its best remaining partner. */
function nextPair(seen: readonly string[], chosen: readonly Pair[], all: readonly Pair[]): Pair {
  const times = timesOf(all)
  const groups = groupsOf(all)
  const had = new Set(chosen.map(keyOf))
  const met = Map.groupBy(all, keyOf)
  const of = (name: string): number => times.get(name) ?? 0
  const group = (name: string): string => groups.get(name) ?? name
  for (const a of shuffled(seen).sort((one, other) => of(one) - of(other))) {
    const rank = (b: string): readonly number[] => [Number(group(a) === group(b)), of(b), met.get(keyOf([a, b]))?.length ?? 0]
    const [best] = shuffled(seen)
      .filter((b) => b !== a && !had.has(keyOf([a, b])))
      .sort((one, other) => compareLists(rank(one), rank(other)))
    if (best !== undefined) return [a, best]
  }
  throw new Error('more pairs wanted than there are')
}

/** Replaces the most compared participant of a pair with the least compared one, as long as they differ by two or more comparisons. */
function evened(seen: readonly string[], chosen: readonly Pair[], before: readonly Pair[]): Pair[] {
  const connected = (pairs: readonly Pair[]): number => new Set(groupsOf([...before, ...pairs]).values()).size
  let result = [...chosen]
  for (let step = 0; step < chosen.length; step += 1) {
    const times = timesOf([...before, ...result])
    const of = (name: string): number => times.get(name) ?? 0
    const groups = connected(result)
    const had = new Set(result.map(keyOf))
    const better = seen
      .flatMap((low) =>
        result.flatMap((pair, place) => [
          { place, high: pair[0], low, stays: pair[1] },
          { place, high: pair[1], low, stays: pair[0] },
        ]),
      )
      .filter(({ high, low, stays }) => of(high) - of(low) > 1 && stays !== low && !had.has(keyOf([low, stays])))
      .map(({ place, low, stays }) => result.with(place, [low, stays]))
      .find((pairs) => connected(pairs) <= groups)
    if (better === undefined) return result
    result = better
  }
  return result
}

function timesOf(pairs: readonly Pair[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const name of pairs.flat()) times.set(name, (times.get(name) ?? 0) + 1)
  return times
}

/** Returns a map from each participant to a representative of its group, which is connected by pairs, directly or through others. */
function groupsOf(pairs: readonly Pair[]): Map<string, string> {
  const groups = new Map<string, string>()
  for (const [a, b] of pairs) {
    const [from, to] = [groups.get(a) ?? a, groups.get(b) ?? b]
    groups.set(a, to).set(b, to)
    for (const [name, group] of groups) if (group === from) groups.set(name, to)
  }
  return groups
}

function keyOf([a, b]: Pair): string {
  return JSON.stringify(a < b ? [a, b] : [b, a])
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((each, index) => each !== other[index])
  return place < 0 ? 0 : (one[place] ?? 0) - (other[place] ?? 0)
}
