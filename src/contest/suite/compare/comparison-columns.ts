import { formatCost, formatDuration } from '../../../base/quantities.ts'
import { type Column, numeric } from '../../report/draw-tables.ts'
import { state } from '../../report/page/page-parts.ts'
import { formatScore } from '../../report/result-text.ts'
import type { ComparedBrief, Comparison, GateResult, Measure } from './comparison-schema.ts'
import { changeWords, measureWords, signed } from './comparison-sentence.ts'

/** One measure of one participant. */
export interface MeasureRow {
  readonly participant: string
  readonly measure: Measure
}

/** Returns a row for each measure of each participant, in the order of the comparison. */
export function measureRows({ participants }: Pick<Comparison, 'participants'>): MeasureRow[] {
  return participants.flatMap(({ new: { name }, measures }) => measures.map((measure) => ({ participant: name, measure })))
}

const verdictWords: Readonly<Record<Measure['verdict'], string>> = {
  worse: 'worse',
  better: 'better',
  'not-seen': 'no difference seen',
  'too-few': 'too few briefs',
}
const kinds = { worse: 'bad', better: 'good', 'not-seen': 'none', 'too-few': 'none' } as const
const basisWords: Readonly<Record<Measure['basis'], string>> = {
  'side-by-side': 'judged side by side',
  'as-judged': 'as judged then',
  'as-measured': 'as measured',
}

/** The measures of all participants. */
export const measureColumns: readonly Column<MeasureRow>[] = [
  { head: everywhere('participant', 'Participant'), text: ({ participant }) => participant },
  { head: everywhere('measure', 'Measure'), text: ({ measure }) => measureWords[measure.name] },
  { head: everywhere('base', 'Base'), text: ({ measure }) => valueWords(measure, 'base'), sort: ({ measure }) => measure.base, ...numeric },
  { head: everywhere('new', 'New'), text: ({ measure }) => valueWords(measure, 'new'), sort: ({ measure }) => measure.new, ...numeric },
  { head: everywhere('difference', 'Difference (95% interval)'), text: ({ measure }) => changeWords(measure), ...numeric },
  {
    head: everywhere('result', 'Result'),
    text: ({ measure }) => verdictWords[measure.verdict],
    html: ({ measure }) => state(kinds[measure.verdict], verdictWords[measure.verdict]),
    isBold: true,
  },
  { head: { markdown: 'Finds a loss of', page: 'Finds a loss of' }, text: ({ measure }) => findsWords(measure), ...numeric },
  { head: { markdown: 'Basis', page: 'Basis' }, text: ({ measure }) => `${basisWords[measure.basis]}, ${measure.briefs} briefs` },
]

function everywhere(terminal: string, other: string): Column<MeasureRow>['head'] {
  return { terminal, markdown: other, page: other }
}

function valueWords({ name, ...of }: Measure, side: 'base' | 'new'): string {
  const value = of[side]
  if (name === 'cost') return formatCost(value)
  return name === 'time' ? formatDuration(value) : formatScore(value)
}

/** Returns the smallest loss that would be found. */
function findsWords({ name, finds }: Measure): string {
  if (finds === null) return '–'
  return name === 'cost' || name === 'time' ? `${signed((finds - 1) * 100, 0)}%` : `${finds.toFixed(1)} points`
}

/** The briefs, side by side. */
export const briefColumns: readonly Column<ComparedBrief>[] = [
  { head: 'Brief', text: ({ brief }) => brief },
  { head: 'Participant', text: ({ participant }) => participant },
  {
    head: 'Difference',
    text: ({ difference }) => (difference === null ? '–' : signed(difference)),
    sort: ({ difference }) => difference,
    ...numeric,
  },
  { head: 'Score', text: (row) => both(row, ({ score }) => formatScore(score)), ...numeric },
  { head: 'Checks', text: (row) => both(row, ({ checks }) => formatScore(checks)), ...numeric },
  { head: 'Delivered', text: (row) => both(row, deliveredWords), ...numeric },
]

function both(row: ComparedBrief, words: (side: ComparedBrief['base']) => string): string {
  const [one, other] = [words(row.base), words(row.new)]
  return one === '–' && other === '–' ? '–' : `${one} → ${other}`
}

function deliveredWords({ delivered, attempts, outcomes }: ComparedBrief['base']): string {
  const why = outcomes.length === 0 ? '' : ` (${outcomes.map((each) => each.replaceAll('-', ' ')).join(', ')})`
  return `${delivered} of ${attempts}${why}`
}

const stateWords: Readonly<Record<GateResult['state'], string>> = { passed: 'passed', failed: 'FAILED', untested: 'NOT TESTED' }

/** Returns the result of a gate as one line, with the difference. */
export function gateWords(
  { gate, participant, state, why, finds, measure }: GateResult,
  { participants }: Pick<Comparison, 'participants'>,
): string {
  const about = `${stateWords[state]}: ${participant}`
  if (measure === 'infrastructure') return `${about}: ${gate}${why === null ? '' : ` (${why})`}`
  const own = participants.find(({ new: { name } }) => name === participant)?.measures.find(({ name }) => name === measure)
  const change = own === undefined ? '' : `: ${changeWords(own)}`
  const missed = finds === null ? '' : `; a loss of less than ${findsWords({ name: measure, finds } as Measure)} may be missed`
  return `${about}, fails if ${gate}${why === null ? `${change}${missed}` : ` (${why})`}`
}

/** Returns the briefs with a difference or without a comparison, and the number of the others. */
export function changedBriefs({ briefs }: Pick<Comparison, 'briefs'>): {
  readonly changed: readonly ComparedBrief[]
  readonly same: number
} {
  const changed = briefs.filter(({ difference }) => difference !== 0)
  return { changed, same: briefs.length - changed.length }
}

/** Returns how many results of briefs did not change. */
export function sameWords(same: number): string {
  return `${same} ${same === 1 ? 'result' : 'results'} of a participant in a brief did not change.`
}

type Trend = Comparison['trend'][number]

/** The runs in order. */
export const trendColumns: readonly Column<Trend>[] = [
  { head: 'Run', text: ({ run }) => run },
  { head: 'Last change', text: ({ at }) => at?.slice(0, 10) ?? '–' },
  { head: 'Participant', text: ({ participant }) => participant },
  {
    head: 'Delivered',
    text: ({ delivered }) => (delivered === null ? '–' : `${Math.round(100 * delivered)}%`),
    sort: ({ delivered }) => delivered,
    ...numeric,
  },
  { head: 'Checks', text: ({ checks }) => formatScore(checks), sort: ({ checks }) => checks, ...numeric },
  { head: 'Score as judged then', text: ({ asJudged }) => formatScore(asJudged), sort: ({ asJudged }) => asJudged, ...numeric },
  { head: 'Cost', text: ({ costUsd }) => formatCost(costUsd), sort: ({ costUsd }) => costUsd, ...numeric },
  {
    head: 'Time',
    text: ({ durationMs }) => (durationMs === null ? '–' : formatDuration(durationMs)),
    sort: ({ durationMs }) => durationMs,
    ...numeric,
  },
]
