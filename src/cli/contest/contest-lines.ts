import { findAdapter } from '../../adapters/find-adapter.ts'
import { formatDuration } from '../../base/quantities.ts'
import { listed, printable } from '../../base/text.ts'
import type { ContestConfig } from '../../contest/config/contest-schema.ts'
import { judgesWithWork } from '../../contest/config/sense.ts'
import type { Summary } from '../../contest/ranking/contest-summary.ts'
import { leaderboardColumns } from '../../contest/report/contest-columns.ts'
import { terminalTable } from '../../contest/report/draw-tables.ts'
import { againWords, endedWords, yourAgreementWords, yourWords } from '../../contest/report/result-text.ts'
import { type ContestStatus, fitted, type ParticipantStatus } from '../../contest/state/contest-state.ts'
import { mustAsk } from '../../contest/state/counted-judging.ts'
import { type Standing, standingOf, standings } from '../../contest/state/judge-state.ts'
import { columns, table } from '../terminal/table.ts'

/**
 * Returns the leaderboard for a terminal: first the ranked participants, then those that could not be ranked. Commands in it end with
 * `directory`, as a shell reads it. A report does not name it, because it can be read elsewhere.
 */
export function leaderboardLines(summary: Summary, directory: string): readonly string[] {
  const { ranking } = summary
  const lines = summary.verdict === null ? [] : [printable(summary.verdict.sentence), '']
  lines.push(...(ranking.length === 0 ? ['there is no submission to rank'] : table(...terminalTable(leaderboardColumns(summary), ranking))))
  if (summary.variants.length > 0) lines.push('', ...summary.variants.map(({ sentence }) => printable(sentence)))
  // Both reports show this in a column. The table for a terminal does not.
  const failedRuns = summary.ranking.filter((each) => each.outcome.message !== null)
  if (failedRuns.length > 0) lines.push('', ...failedRuns.map((each) => printable(`${each.name} ${endedWords(each)}`)))
  if (summary.notRanked.length > 0) {
    lines.push('', 'not ranked')
    for (const each of summary.notRanked) {
      lines.push(`  ${printable(each.name)}: ${printable(endedWords(each))}`)
      const again = againWords(each)
      if (again !== null) lines.push(`    ${printable(again)}`)
    }
  }
  const failed = summary.judges.filter((each) => each.state === 'failed')
  if (failed.length > 0) lines.push('')
  for (const each of failed) {
    lines.push(`judge ${printable(each.name)} failed: ${printable(each.why ?? '')}`)
    if (each.hint !== null) lines.push(`  ${printable(each.hint)}`)
  }
  lines.push(...yourLines(summary))
  const notes = [
    ...summary.notes.map((each) => withDirectory(each, directory)),
    ...logNotes(summary, directory),
    ...againNotes(summary, directory),
  ]
  if (notes.length > 0) lines.push('', ...notes.map(printable))
  return lines
}

/** Returns a note with the directory after the command that it ends with. */
function withDirectory(note: string, directory: string): string {
  return note.replace(/: paddock contest [a-z]+(?: --[a-z]+)*(?=\.?$)/, (command) => `${command} ${directory}`)
}

/** Returns how to run again what failed, unless a note says it. */
function againNotes({ judges, notes }: Summary, directory: string): readonly string[] {
  const failed = judges.filter((each) => each.state === 'failed').map((each) => each.name)
  if (failed.length === 0 || notes.some((each) => each.includes('paddock contest run --retry'))) return []
  return [
    `${listed(failed, 3)} failed and ${failed.length === 1 ? 'is' : 'are'} not asked again automatically. To ask again: paddock contest run --retry ${directory}`,
  ]
}

/** Returns how to see what a run did that delivered nothing: its program may have printed why. */
function logNotes({ notRanked, judges }: Summary, directory: string): readonly string[] {
  const ran = [...notRanked.filter((each) => each.outcome !== null), ...judges.filter((each) => each.state === 'failed')]
  return ran.slice(0, 1).map(({ name }) => `To see what ${name} did: paddock contest tail --no-follow ${directory} ${name}`)
}

/** Returns a summary of the user's answers and the agreement of each judge with them; empty if the user judged nothing. */
export function yourLines({ you }: Pick<Summary, 'you'>): readonly string[] {
  if (you === null) return []
  const agreement = you.agreement.map((each) => `  ${printable(each.judge)} agrees with you: ${yourAgreementWords(each)}`)
  return ['', yourWords(you), ...agreement]
}

/** Returns a line that says how to continue after `contest judge`, which does not write a report. */
export function afterJudging({ tasks }: ContestStatus, directory: string): string {
  return Object.values(standings(tasks)).some((each) => each.state === 'scored')
    ? `the report is unchanged; to write it again: paddock contest report ${directory}`
    : `no judge gave scores; to ask again: paddock contest judge ${directory}`
}

/** Returns the state of each participant and judge. `atWork`: true if a process works on the contest. */
export function statusLines(config: ContestConfig, status: ContestStatus | null, atWork: boolean): readonly string[] {
  if (status === null) return [`${config.name}: not run yet`]
  const { participants: standing } = fitted(status, config)
  const rows = (kind: 'participants' | 'judges'): string[][] =>
    config[kind].map(({ name }) => {
      const each = kind === 'judges' ? standingOf(name, status.tasks) : standing[name]
      const took = each?.durationMs === null || each === undefined ? '' : formatDuration(each.durationMs)
      return [`  ${name}`, isInterrupted(each, atWork) ? 'interrupted' : (each?.state ?? 'pending'), each?.outcome?.kind ?? '', took]
    })
  const all = columns([...rows('participants'), ...rows('judges')])
  const participants = config.participants.length
  return [
    `${config.name}: round ${status.round}${judgingText(config, status)}`,
    'participants',
    ...all.slice(0, participants),
    ...(config.judges.length > 0 ? ['judges', ...all.slice(participants)] : []),
  ]
}

/** Returns true if work was cut off: its process is gone, or ended it on a signal, such as a launcher that was killed. */
function isInterrupted(each: Pick<ParticipantStatus | Standing, 'state' | 'outcome'> | undefined, atWork: boolean): boolean {
  if (each === undefined || atWork) return false
  return each.state === 'running' || (each.outcome?.kind === 'cancelled' && (each.state === 'ended' || each.state === 'failed'))
}

/** Returns the number of the current judging. If it is incomplete, also the number of the judging that is in effect meanwhile. */
function judgingText(config: ContestConfig, { judging, tasks, complete }: ContestStatus): string {
  if (judging === 0) return ''
  const open = judgesWithWork(config, findAdapter).some((name) => mustAsk(name, tasks, false))
  const before = complete === undefined || complete.judging === judging ? '' : `; judging ${complete.judging} counts`
  return `, judging ${judging}${open ? ` (not complete${before})` : ''}`
}
