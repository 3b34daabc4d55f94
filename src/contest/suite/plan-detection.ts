import { findAdapter } from '../../adapters/find-adapter.ts'
import { PaddockError } from '../../base/errors.ts'
import { judgesWithWork } from '../config/sense.ts'
import { readSuite } from './config/read-suite.ts'
import { assumedSd, briefsToDetect, observedSd, smallestDifference } from './detect.ts'
import { expectedCost } from './plan-suite.ts'
import { gather } from './report/gather.ts'
import { summariseSuite } from './report/summarise-suite.ts'
import { configOf, runsOf, standingsOf } from './runs.ts'

/** What it takes to find a difference between participants. */
export interface DetectionPlan {
  readonly schemaVersion: 1
  readonly suite: string
  /** The difference in points of 100 to find. */
  readonly detect: number
  /** The standard deviation, over briefs, of the difference between two participants, and where it is from. */
  readonly sd: { readonly points: number; readonly from: 'results' | 'option' | 'assumed' }
  readonly repeats: number
  /** For the briefs of the suite, and for as many as are needed. Null: it would take more than 100,000. `money`: null if no cost is known. */
  readonly now: Scale
  readonly needed: Scale | null
  /** The smallest difference that the suite finds as it is, in 80 of 100 cases; null: it has fewer than three briefs. */
  readonly smallest: number | null
}

interface Scale {
  readonly briefs: number
  /** The number of participants' runs and of judges that are asked. */
  readonly cells: number
  readonly money: number | null
}

/**
 * `suite plan`: returns how many briefs, cells and dollars it takes to find a difference of `detect` points, and what the suite finds as it
 * is. `sd` replaces the standard deviation that earlier results show. Reads results and starts nothing.
 */
export async function planDetection(directory: string, detect: number, sd: number | null, now: Date): Promise<DetectionPlan> {
  const suite = await readSuite(directory)
  const runs = runsOf(suite)
  const [first] = runs
  if (first === undefined) throw new PaddockError('BAD_INPUT', 'There is no brief to run.')
  const standings = await standingsOf(runs)
  const known = observedSd(summariseSuite(suite, await gather(standings, new Map(), now), null, now))
  const points = sd ?? known ?? assumedSd
  const config = configOf(first.brief)
  const design = { participants: config.participants.length, sd: points }
  const { repeats } = suite.config
  const parts = (config.participants.length + judgesWithWork(config, findAdapter).length) * repeats
  const scale = (briefs: number): Scale => ({ briefs, cells: briefs * parts, money: expectedCost(standings, briefs * parts).money })
  const briefs = runs.length / repeats
  const needed = briefsToDetect(detect, design)
  return {
    schemaVersion: 1,
    suite: suite.config.name,
    detect,
    sd: { points, from: sd !== null ? 'option' : known !== null ? 'results' : 'assumed' },
    repeats,
    now: scale(briefs),
    needed: needed === null ? null : scale(needed),
    smallest: smallestDifference(briefs, design),
  }
}
