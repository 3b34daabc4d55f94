import type { Estimate } from './estimate.ts'
import type { Ranks } from './ranks.ts'

/** What the verdict says. Participants are named by their places. */
export interface Verdict {
  /** The only one that can be first; null if there are several. */
  readonly leader: number | null
  /** Those who can be first because nobody is surely better, the strongest first. */
  readonly front: readonly number[]
  /** The cheapest of them; null if a cost of one of them is not known. */
  readonly cheapest: number | null
  /** About how many clusters would tell the strongest from the rest of the front; null if there is a leader, no estimate, or an exact tie. */
  readonly clustersToSettle: number | null
}

/**
 * Returns what is known of the first place. `ranks` is null if there are too few clusters: then nobody can be told apart. `costs` has the US dollars of each
 * participant, null if they are not known. Only the best of `tiers` can be first; `ranks` must be made with the same.
 */
export function verdictOf(
  { strengths }: Estimate,
  ranks: Ranks | null,
  costs: readonly (number | null)[],
  tiers: readonly number[] = strengths.map(() => 0),
): Verdict {
  const best = Math.min(...tiers)
  const byStrength = strengths.map((_, place) => place).sort((a, b) => (strengths[b] ?? 0) - (strengths[a] ?? 0) || a - b)
  const front = byStrength.filter((place) => tiers[place] === best && (ranks === null || ranks.ranges[place]?.from === 1))
  const isDecided = ranks !== null || tiers.some((each) => each !== best)
  const [strongest, ...rest] = front
  const needed = strongest === undefined || ranks === null ? [] : rest.map((other) => ranks.clustersToSettle(strongest, other))
  const settled = needed.filter((each) => each !== null)
  return {
    leader: isDecided && strongest !== undefined && rest.length === 0 ? strongest : null,
    front,
    cheapest: cheapestOf(front, costs),
    clustersToSettle: settled.length === 0 || settled.length < needed.length ? null : Math.max(...settled),
  }
}

function cheapestOf(places: readonly number[], costs: readonly (number | null)[]): number | null {
  let [cheapest, least] = [null as number | null, Number.POSITIVE_INFINITY]
  for (const place of places) {
    const cost = costs[place] ?? null
    if (cost === null) return null
    if (cost < least) [cheapest, least] = [place, cost]
  }
  return cheapest
}
