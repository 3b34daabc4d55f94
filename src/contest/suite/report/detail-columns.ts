import { type Column, numeric } from '../../report/draw-tables.ts'
import { formatNumber, formatScore } from '../../report/result-text.ts'
import type { SuiteRow, SuiteSummary } from './suite-summary.ts'

type Details = SuiteSummary['details']

/** The mean scores by tag. */
export function tagColumns({ ranking }: Pick<SuiteSummary, 'ranking'>): readonly Column<Details['tags'][number]>[] {
  return [
    { head: 'Tag', text: ({ tag }) => tag },
    { head: 'Briefs', text: ({ briefs }) => String(briefs), sort: ({ briefs }) => briefs, ...numeric },
    ...ranking.map(({ name }): Column<Details['tags'][number]> => {
      const of = ({ scores }: Details['tags'][number]): number | null => scores.find((each) => each.name === name)?.score ?? null
      return { head: name, text: (row) => formatScore(of(row)), sort: of, ...numeric }
    }),
  ]
}

/** The briefs in which the first two participants differ most. */
export function differenceColumns({ ranking }: Pick<SuiteSummary, 'ranking'>): readonly Column<Details['differences'][number]>[] {
  return [
    { head: 'Brief', text: ({ brief }) => brief },
    { head: ranking[0]?.name ?? 'First', text: ({ first }) => formatScore(first), sort: ({ first }) => first, ...numeric },
    { head: ranking[1]?.name ?? 'Second', text: ({ second }) => formatScore(second), sort: ({ second }) => second, ...numeric },
    { head: 'Difference', text: ({ first, second }) => signed(first - second), sort: ({ first, second }) => first - second, ...numeric },
  ]
}

/** In how many briefs each participant has a higher score than each other one. */
export function beatenColumns({ ranking, details: { meetings } }: Pick<SuiteSummary, 'ranking' | 'details'>): readonly Column<SuiteRow>[] {
  return [
    { head: 'Participant', text: ({ name }) => name },
    ...ranking.map((other): Column<SuiteRow> => {
      const met = ({ name }: SuiteRow) => meetings.find(({ a, b }) => a === name && b === other.name)
      return {
        head: other.name,
        text(row) {
          const meeting = met(row)
          return meeting === undefined ? '–' : `${formatNumber(meeting.won)} of ${meeting.of}`
        },
        sort: (row) => met(row)?.won ?? null,
        ...numeric,
      }
    }),
  ]
}

/** How each participant fails, where it is worst, how much repeats differ, and its mean scores by dimension. */
export function strengthColumns({ details }: Pick<SuiteSummary, 'details'>): readonly Column<SuiteRow>[] {
  const own = ({ name }: SuiteRow) => details.participants.find((each) => each.name === name)
  const dimensions = [...new Set(details.participants.flatMap((each) => Object.keys(each.dimensions)))]
  const failureWords = ({ failures }: SuiteRow): string =>
    Object.entries(failures)
      .map(([kind, count]) => `${count} ${kind.replaceAll('-', ' ')}`)
      .join(', ')
  const isRepeated = details.participants.some(({ repeatSd }) => repeatSd !== null)
  return [
    { head: 'Participant', text: ({ name }) => name },
    { head: 'Not delivered', text: (row) => failureWords(row) || '–' },
    {
      head: 'Worst briefs',
      text: (row) =>
        own(row)
          ?.worst.map(({ brief, score }) => `${brief} (${formatScore(score)})`)
          .join(', ') || '–',
    },
    ...(isRepeated
      ? [
          {
            head: 'Between repeats (sd)',
            text: (row: SuiteRow) => formatScore(own(row)?.repeatSd ?? null),
            sort: (row: SuiteRow) => own(row)?.repeatSd ?? null,
            ...numeric,
          },
        ]
      : []),
    ...dimensions.map(
      (id): Column<SuiteRow> => ({
        head: id,
        text: (row) => own(row)?.dimensions[id]?.toFixed(1) ?? '–',
        sort: (row) => own(row)?.dimensions[id] ?? null,
        ...numeric,
      }),
    ),
  ]
}

function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`
}
