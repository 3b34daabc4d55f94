import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { PaddockError } from '../../../base/errors.ts'
import { monotonicMs } from '../../../base/monotonic.ts'
import { writeAtomic, writeJson } from '../../../files/atomic.ts'
import { withoutSecrets } from '../../judging/without-secrets.ts'
import { noteContest } from '../../state/known-contests.ts'
import { openPurse } from '../../state/purse.ts'
import { fewestToPool } from '../config/compose.ts'
import { refuseLink } from '../config/lay-out-suite.ts'
import type { SuiteDeps } from '../suite-deps.ts'
import { onEach, onSuite } from '../suite-stage.ts'
import type { Gate } from './compare-gates.ts'
import { type ComparedRun, readRun } from './compared-run.ts'
import { comparisonCsv, comparisonJunit, comparisonMarkdown } from './comparison-files.ts'
import { comparisonPage } from './comparison-page.ts'
import type { Comparison } from './comparison-schema.ts'
import {
  type AttemptPair,
  contestOfPair,
  judgeSideBySide,
  needsJudges,
  openJudges,
  pairsOf,
  readSideBySide,
  type SideBySide,
} from './side-by-side.ts'
import { type Compared, type Seen, summariseComparison } from './summarise-comparison.ts'

export interface CompareOptions {
  readonly only: readonly string[]
  /** The participants as `NAME` or `BASE=NEW`; empty: all that both runs have. */
  readonly participants: readonly string[]
  readonly gates: readonly Gate[]
  /** Whether a loss must be as large as the gate with 95% certainty. */
  readonly surely: boolean
  /** Whether to use the scores of the old judgings. */
  readonly asJudged: boolean
  readonly retry: boolean
  readonly parallel?: number
  /** What the judges may cost, in US dollars. */
  readonly budget?: number
  /** The directory of the report. */
  readonly out?: string
}

/** The work that a comparison would give to judges. */
export interface ComparePlan {
  readonly schemaVersion: 1
  readonly suite: string
  readonly briefs: number
  readonly pairs: number
  readonly judged: { readonly contests: number; readonly open: number; readonly judges: number }
}

export interface ComparisonResult {
  readonly comparison: Comparison
  readonly files: Readonly<Record<'html' | 'markdown' | 'json' | 'csv' | 'junit', string>>
}

const command = 'paddock suite compare'

/**
 * `suite compare`: compares the last of some runs with the first. Judges see both works of each pair blind in one new task; a pair that was
 * judged is not judged again. Writes the report below the new suite.
 * @throws PaddockError NOT_FOUND, BAD_INPUT, NOT_ALLOWED, BUSY while another process works on the new suite, CANCELLED
 */
export async function compareSuites(labels: readonly string[], deps: SuiteDeps, options: CompareOptions): Promise<ComparisonResult> {
  const prepared = await prepareComparison(labels, options)
  const seen = await judged(prepared, deps, options)
  const { base, new: now, runs, participants, briefs, leftOut, notes } = prepared
  const { gates, surely } = options
  const isSideBySide = prepared.contests !== null
  const of: Compared = {
    base,
    new: now,
    runs,
    participants,
    briefs,
    leftOut,
    seen: seen.pairs,
    isSideBySide,
    gates,
    surely,
    notes: [...notes, ...seen.notes],
  }
  return await written(withoutSecrets(summariseComparison(of, deps.now())), now, options.out ?? null)
}

/** `suite compare --dry-run`: returns what judges would be asked. Starts nothing. */
export async function planComparison(labels: readonly string[], options: CompareOptions): Promise<ComparePlan> {
  const { new: now, briefs, pairs, contests } = await prepareComparison(labels, options)
  const open = await Promise.all(distinct(contests ?? new Map()).map(openJudges))
  return {
    schemaVersion: 1,
    suite: now.suite.config.name,
    briefs: briefs.length,
    pairs: pairs.length,
    judged: { contests: open.length, open: open.filter((each) => each > 0).length, judges: open.reduce((sum, each) => sum + each, 0) },
  }
}

interface Prepared {
  readonly base: ComparedRun
  readonly new: ComparedRun
  readonly runs: readonly ComparedRun[]
  readonly participants: Compared['participants']
  readonly briefs: readonly string[]
  readonly leftOut: Compared['leftOut']
  readonly pairs: readonly AttemptPair[]
  /** The contests of pairs that judges must see; null: judges are not asked. */
  readonly contests: ReadonlyMap<AttemptPair, SideBySide> | null
  readonly notes: readonly string[]
}

async function prepareComparison(
  labels: readonly string[],
  { only, participants: wanted, asJudged, gates }: CompareOptions,
): Promise<Prepared> {
  const runs: ComparedRun[] = []
  for (const label of labels) runs.push(await readRun(label, only))
  const [base, now] = [runs.at(0), runs.at(-1)]
  if (base === undefined || now === undefined || runs.length < 2)
    throw new PaddockError('BAD_INPUT', 'A comparison needs two runs.', { hint: 'Name the earlier run first' })
  const { config } = now.suite
  const asksJudges =
    !asJudged &&
    config.contest.judges.length > 0 &&
    (config.contest.ranking.by !== 'checks' || gates.some(({ measure }) => measure === 'score'))
  const { participants, notes } = participantsOf(base, now, wanted)
  const { briefs, leftOut, unlike } = commonBriefs(base, now)
  const [ownBase, ownNew] = [withoutChecks(base, unlike), withoutChecks(now, unlike)]
  const pairs = briefs.flatMap((brief) =>
    participants.flatMap((names) =>
      pairsOf(
        brief,
        names,
        { base: attemptsOf(ownBase, brief, names.base), new: attemptsOf(ownNew, brief, names.new) },
        config.contest.ranking.counts,
      ),
    ),
  )
  const open = pairs.filter(needsJudges)
  const pooled = open.length >= fewestToPool
  const contests = asksJudges
    ? new Map(open.flatMap((pair) => contestOfPair(pair, base, now, pooled) ?? []).map((each) => [each.pair, each]))
    : null
  const more = unlike.length === 0 ? [] : [`The checks of ${unlike.join(', ')} differ between the runs, so their results are not compared.`]
  return {
    base: ownBase,
    new: ownNew,
    runs,
    participants,
    briefs,
    leftOut,
    pairs,
    contests,
    notes: [...notes, ...more, ...levelNotes(ownBase, ownNew, participants)],
  }
}

function participantsOf(
  base: ComparedRun,
  now: ComparedRun,
  wanted: readonly string[],
): { participants: Compared['participants']; notes: string[] } {
  const namesOf = ({ suite }: ComparedRun): string[] => suite.config.contest.participants.map(({ name }) => name)
  const [before, after] = [namesOf(base), namesOf(now)]
  const common = after.filter((name) => before.includes(name))
  const pairs = wanted.length === 0 ? common.map((name) => ({ base: name, new: name })) : wanted.map(pairNamed)
  for (const pair of pairs)
    for (const [side, names] of [
      ['base', before],
      ['new', after],
    ] as const)
      if (!names.includes(pair[side]))
        throw new PaddockError('NOT_FOUND', `--participants ${pair[side]}: the ${side} run has no such participant.`, {
          hint: `It has ${names.join(', ')}`,
        })
  if (pairs.length === 0)
    throw new PaddockError('BAD_INPUT', `The runs have no participant in common: ${before.join(', ')} and ${after.join(', ')}.`, {
      hint: `Say which are compared: --participants ${before[0]}=${after[0]}`,
    })
  const others = wanted.length === 0 ? [...before, ...after].filter((name) => !common.includes(name)) : []
  return { participants: pairs, notes: others.length === 0 ? [] : [`Only one of the runs has ${others.join(', ')}.`] }
}

function pairNamed(text: string): { readonly base: string; readonly new: string } {
  const [base = '', now = base] = text.split('=')
  return { base, new: now }
}

/** Returns the briefs with the same text in both runs, those that are left out with the reason, and those whose checks differ. */
function commonBriefs(base: ComparedRun, now: ComparedRun): { briefs: string[]; leftOut: Compared['leftOut']; unlike: string[] } {
  const briefs: string[] = []
  const leftOut: { brief: string; why: string }[] = []
  const unlike: string[] = []
  for (const brief of new Set([...base.briefs.keys(), ...now.briefs.keys()])) {
    const [one, other] = [base.briefs.get(brief), now.briefs.get(brief)]
    const lacks = one === undefined ? base : other === undefined ? now : null
    // A brief that a suite has but did not run counts as failed there.
    if (lacks?.suite.briefs.some(({ name }) => name === brief) === true) briefs.push(brief)
    else if (one === undefined || other === undefined)
      leftOut.push({ brief, why: `only the ${one === undefined ? 'new' : 'base'} run has it` })
    else if (one.text !== other.text) leftOut.push({ brief, why: 'BRIEF.md differs between the runs' })
    else {
      briefs.push(brief)
      if (one.checks !== other.checks) unlike.push(brief)
    }
  }
  return { briefs, leftOut, unlike }
}

function withoutChecks(run: ComparedRun, briefs: readonly string[]): ComparedRun {
  return { ...run, attempts: run.attempts.map((each) => (briefs.includes(each.brief) ? { ...each, checks: null } : each)) }
}

function attemptsOf({ attempts }: ComparedRun, brief: string, name: string): ComparedRun['attempts'] {
  return attempts.filter((each) => each.brief === brief && each.participant === name)
}

/** Returns a note for each participant whose isolation level differs between the runs. */
function levelNotes(base: ComparedRun, now: ComparedRun, participants: Compared['participants']): string[] {
  const levels = ({ attempts }: ComparedRun, name: string): string =>
    [...new Set(attempts.flatMap((each) => (each.participant === name ? (each.posture ?? []) : [])))].toSorted().join(' and ')
  return participants.flatMap((names) => {
    const [before, after] = [levels(base, names.base), levels(now, names.new)]
    if (before === '' || after === '' || before === after) return []
    return [`${names.base} worked at ${before} and ${names.new} at ${after}, so this is not a comparison of equals.`]
  })
}

/** Returns each contest once: pairs with equal works share theirs. */
function distinct(contests: NonNullable<Prepared['contests']>): SideBySide[] {
  return [...new Map([...contests.values()].map((each) => [each.directory, each])).values()]
}

/** Has judges judge the contests of a comparison, and reads their answers. */
async function judged(
  { pairs, contests, runs, new: { suite } }: Prepared,
  deps: SuiteDeps,
  options: CompareOptions,
): Promise<{ readonly pairs: readonly Seen[]; readonly notes: readonly string[] }> {
  if (contests === null) return { pairs: pairs.map((pair) => ({ pair, found: null, contest: null })), notes: [] }
  const { root } = suite.layout
  const notes: string[] = []
  const open: SideBySide[] = []
  for (const each of distinct(contests)) if (options.retry || (await openJudges(each)) > 0) open.push(each)
  if (open.length > 0) {
    for (const each of runs) noteContest(deps.paths.state, { root: await realpath(each.suite.layout.root) })
    const { parallel, budget } = options
    await onSuite(root, deps, parallel === undefined ? {} : { parallel }, command, async (scene) => {
      const purse = openPurse(budget === undefined ? {} : { money: budget }, monotonicMs)
      const own = { ...scene, shared: { ...scene.shared, purse } }
      deps.progress({ type: 'suite', contests: distinct(contests).length, open: open.length })
      await onEach(
        own,
        open,
        ({ name }) => name,
        (one, shared) => judgeSideBySide(own, one, shared, options.retry),
      )
      if (deps.signal.aborted)
        throw new PaddockError('CANCELLED', 'The comparison was stopped. Finished work is kept.', {
          hint: 'To continue, run the same command again',
        })
      for (const [name, why] of scene.whys) notes.push(`${name} could not be judged: ${why}`)
    })
  }
  const seen: Seen[] = []
  for (const pair of pairs) {
    const one = contests.get(pair)
    const found = one === undefined ? null : await readSideBySide(one)
    seen.push({ pair, found, contest: one === undefined ? null : path.relative(root, one.directory) })
  }
  const missing = seen.filter(
    ({ pair, found }) => needsJudges(pair) && (found === null || found.judged.every(({ points }) => Object.keys(points).length === 0)),
  )
  if (missing.length > 0) notes.push(`${missing.length} of ${contests.size} pairs were not judged, so they do not count in the score.`)
  return { pairs: seen, notes }
}

async function written(comparison: Comparison, { suite }: ComparedRun, out: string | null): Promise<ComparisonResult> {
  const { layout } = suite
  const [name = 'base', round] = path.basename(comparison.base).split(/@(?=\d+$)/)
  const directory =
    out === null ? path.join(layout.comparisons, 'reports', round === undefined ? name : `${name}-round-${round}`) : path.resolve(out)
  const at = (file: string): string => path.join(directory, file)
  const files = {
    html: at('comparison.html'),
    markdown: at('comparison.md'),
    json: at('comparison.json'),
    csv: at('comparison.csv'),
    junit: at('junit.xml'),
  }
  if (out === null) for (const each of Object.values(files)) refuseLink(layout.root, each)
  const linked = (contest: string): string => path.relative(directory, path.join(layout.root, contest, 'report', 'report.html'))
  await writeJson(files.json, comparison)
  await writeAtomic(files.markdown, comparisonMarkdown(comparison))
  await writeAtomic(files.csv, comparisonCsv(comparison))
  await writeAtomic(files.junit, comparisonJunit(comparison))
  await writeAtomic(files.html, comparisonPage(comparison, linked))
  return { comparison, files }
}
