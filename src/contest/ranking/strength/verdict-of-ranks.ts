import type { Estimate } from './estimate.ts'
import type { Ranks } from './ranks.ts'

/** The verdict on the first place. Participants are identified by their indices. */
export interface Verdict {
  /** The only participant that can be first; null if there are several. */
  readonly leader: number | null
  /** All participants that can be first, because no other is significantly better; the strongest first. */
  readonly front: readonly number[]
  /** The cheapest participant of `front`; null if one of their costs is not known. */
  readonly cheapest: number | null
  /**
   * About how many clusters would separate the strongest participant from the rest of the front; null if there is a leader, no estimate, or
   * an exact tie.
   */
  readonly clustersToSettle: number | null
  /** True if all clusters show the same difference between the strongest participant and each other one of the front. */
  readonly isUniform: boolean
}

/**
 * Returns the verdict on the first place. `ranks` is null if there are too few clusters; no two participants can then be told apart.
 * `costs` has the US dollars of each participant, or null if they are not known. Only the best of `tiers` can be first; `ranks` must be
 * made with the same tiers.
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
    isUniform: strongest !== undefined && rest.length > 0 && rest.every((other) => ranks?.isUniform(strongest, other) === true),
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
