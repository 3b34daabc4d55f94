import { studentCritical } from '../probability/student.ts'
import { type Differences, differencesOf } from './differences.ts'
import type { Estimate } from './estimate.ts'

/** The verdict on the first place. Participants are identified by their indices. */
export interface FirstPlace {
  /** The only participant that can be first; null if there are several. */
  readonly leader: number | null
  /** All participants that can be first, because they are not significantly weaker than the strongest one; the strongest first. */
  readonly front: readonly number[]
  /** The cheapest participant of `front`; null if one of their costs is not known. */
  readonly cheapest: number | null
  /** How many clusters would separate the strongest participant from the rest of the front; null if there is a leader, or not known. */
  readonly toSettle: ClustersToSettle | null
  /** True if all clusters show the same difference between the strongest participant and each other one of the front. */
  readonly isUniform: boolean
  /** For each participant, by how much it is at most behind the best one, with 95% confidence; null if that is not known. */
  readonly behind: readonly (number | null)[]
}

/** The number of clusters that would settle the first place, as an 80% interval. `to`: null if it has no upper limit that can be stated. */
export interface ClustersToSettle {
  readonly from: number
  readonly to: number | null
}

/** The fewest clusters from which more of them can be extrapolated. With fewer, the result says nothing. */
const fewestToExtrapolate = 8
const mostClusters = 10_000

/**
 * Returns the verdict on the first place. `costs` has the US dollars of each participant, or null if they are not known. Only the best of
 * `tiers` can be first. A leader exceeds every other one by t(1 − min(0.025, 0.05/(n−1)), ν) standard errors, so that a wrong leader is
 * named in at most 5 of 100 cases, also if all are equal or two are tied. `behind` uses the same critical values (Hsu, Annals of Statistics
 * 9, 1981). For fewer than three clusters, no two participants can be told apart.
 */
export function firstPlaceOf(
  estimate: Estimate,
  costs: readonly (number | null)[],
  tiers: readonly number[] = estimate.strengths.map(() => 0),
  differences = differencesOf(estimate),
): FirstPlace {
  const { strengths } = estimate
  const best = Math.min(...tiers)
  const candidates = strengths
    .map((_, place) => place)
    .filter((place) => tiers[place] === best)
    .sort((a, b) => (strengths[b] ?? 0) - (strengths[a] ?? 0) || a - b)
  const [strongest] = candidates
  const margin = differences === null ? null : marginOf(differences, candidates.length)
  const front = candidates.filter(
    (place) =>
      place === strongest ||
      strongest === undefined ||
      margin === null ||
      differences === null ||
      differences.of(strongest, place) <= margin(strongest, place),
  )
  const isDecided = margin !== null || tiers.some((each) => each !== best)
  const rest = front.slice(1)
  const atMost = (place: number): number | null => {
    if (differences === null || margin === null || !candidates.includes(place)) return null
    return candidates.reduce(
      (most, other) => (other === place ? most : Math.max(most, differences.of(other, place) + margin(other, place))),
      0,
    )
  }
  return {
    leader: isDecided && strongest !== undefined && rest.length === 0 ? strongest : null,
    front,
    cheapest: cheapestOf(front, costs),
    toSettle: strongest === undefined || differences === null ? null : toSettleOf(differences, strongest, rest, candidates.length),
    isUniform: strongest !== undefined && rest.length > 0 && rest.every((other) => differences?.isUniform(strongest, other) === true),
    behind: strengths.map((_, place) => atMost(place)),
  }
}

/** Returns the two-sided probability of an error in one comparison with the best of n participants. */
function tailOf(n: number): number {
  return 2 * Math.min(0.025, 0.05 / Math.max(1, n - 1))
}

/** Returns by how much two participants must differ to be told apart in a comparison of all with the best one. */
function marginOf({ errorOf, degreesOf }: Differences, n: number): (first: number, second: number) => number {
  return (first, second) => {
    const error = errorOf(first, second)
    return error === 0 ? 0 : studentCritical(tailOf(n), degreesOf(first, second)) * error
  }
}

/**
 * Returns how many clusters would separate the strongest from all of the rest: the smallest m ≥ G with m ≥ G·(c(m)·se/d)², where c(m) is
 * the verdict's own critical value with m clusters. The interval results from d ± t(0.9)·se.
 */
function toSettleOf(differences: Differences, strongest: number, rest: readonly number[], n: number): ClustersToSettle | null {
  const { clusters, of, errorOf, degreesOf } = differences
  if (rest.length === 0 || clusters < fewestToExtrapolate) return null
  const needed = rest.map((other) => {
    const [d, error, degrees] = [of(strongest, other), errorOf(strongest, other), degreesOf(strongest, other)]
    const span = studentCritical(0.2, degrees) * error
    const count = (difference: number): number | null =>
      difference <= 0
        ? null
        : fewestClusters(clusters, (many) => (studentCritical(tailOf(n), (degrees * (many - 1)) / (clusters - 1)) * error) / difference)
    return { from: count(d + span), to: count(d - span) }
  })
  const froms = needed.map(({ from }) => from ?? mostClusters)
  const tos = needed.flatMap(({ to }) => to ?? [])
  return { from: Math.max(...froms), to: tos.length < needed.length ? null : Math.max(...tos) }
}

/** Returns the smallest number of clusters m ≥ g with m ≥ g·ratio(m)²; null if there is none that can be stated. */
function fewestClusters(g: number, ratio: (many: number) => number): number | null {
  const isEnough = (many: number): boolean => many >= g * ratio(many) ** 2
  if (!isEnough(mostClusters)) return null
  // More clusters are always enough if fewer are, because critical values fall.
  let [low, high] = [g, mostClusters]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle + 1
  }
  return low
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
