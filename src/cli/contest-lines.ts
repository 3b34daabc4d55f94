import type { Summary } from '../contest/report/summary.ts'
import type { ContestConfig } from '../contest/schema.ts'
import type { ContestStatus } from '../contest/status.ts'
import { formatDuration } from '../quantities.ts'
import { printable } from './printable.ts'

/** The leaderboard for a terminal: ranked ones, then those of whose work nothing can be said. */
export function leaderboardLines(summary: Summary): readonly string[] {
  const header = ['rank', 'participant', 'score', 'judges', 'checks', 'time', 'tokens', 'cost']
  const rows = summary.ranking.map((each) => [
    each.rank === null ? '–' : String(each.rank),
    printable(each.name),
    each.score === null ? '–' : each.score.toFixed(1),
    each.spread === null ? '–' : `${each.spread.min.toFixed(0)}–${each.spread.max.toFixed(0)}`,
    each.checks.counted === 0 ? '–' : `${each.checks.passed}/${each.checks.counted}`,
    each.durationMs === null ? '–' : formatDuration(each.durationMs),
    each.tokens === null ? '–' : String(each.tokens.input + each.tokens.output),
    each.costUsd === null ? '–' : `$${each.costUsd.toFixed(2)}`,
  ])
  const lines = rows.length === 0 ? ['nobody delivered anything that could be ranked'] : table([header, ...rows])
  if (summary.notRanked.length > 0) {
    lines.push('', 'not ranked')
    for (const each of summary.notRanked)
      lines.push(
        `  ${printable(each.name)}: ${each.outcome?.kind ?? 'not run'}${each.outcome?.message ? `, ${printable(each.outcome.message)}` : ''}`,
      )
  }
  for (const each of summary.judges)
    if (each.state === 'failed') lines.push('', `judge ${printable(each.name)} failed: ${printable(each.why ?? '')}`)
  return lines
}

/** How each participant and judge stands. */
export function statusLines(config: ContestConfig, status: ContestStatus | null): readonly string[] {
  if (status === null) return [`${config.name}: not run yet`]
  const rows = (kind: 'participants' | 'judges'): string[][] =>
    config[kind].map(({ name }) => {
      const each = status[kind][name]
      const took = each?.durationMs === null || each === undefined ? '' : formatDuration(each.durationMs)
      return [`  ${name}`, each?.state ?? 'pending', each?.outcome?.kind ?? '', took]
    })
  const all = table([...rows('participants'), ...rows('judges')])
  const participants = config.participants.length
  return [
    `${config.name}: round ${status.round}`,
    'participants',
    ...all.slice(0, participants),
    ...(config.judges.length > 0 ? ['judges', ...all.slice(participants)] : []),
  ]
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
