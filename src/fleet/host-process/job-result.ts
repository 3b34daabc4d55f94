import type { RunSummary } from '../../adapters/output/run-summary.ts'
import { printableName } from '../../base/text.ts'
import type { CellReport, ChangeSummary } from '../../cell/report.ts'
import type { RunOutcome } from '../../run/run-outcome.ts'
import type { Meter } from '../budgets/meter.ts'
import type { JobResult, JobWorktree } from '../jobs/job.ts'

/** The longest answer of an agent in a result, in bytes. */
const longestAnswer = 64 * 1024
const mostListed = 1_000
const mostNotes = 100

export interface EndedJob {
  readonly job: string
  /** Whether the job was cancelled. */
  readonly cancelled: boolean
  readonly outcome: RunOutcome
  readonly summary: RunSummary
  /** The meter of the job's use. */
  readonly meter: Meter
  /** The report of the cell. Null if there was no cell, or if it could not be followed to its end. */
  readonly report: CellReport | null
  readonly copy: string | null
  readonly worktree: JobWorktree | null
  /** The id with which the agent's CLI continues the conversation; null if it is not known. */
  readonly conversation: string | null
  readonly notes: readonly string[]
  readonly startedAt: Date
  readonly endedAt: Date
}

/** Returns the stored result of a job that has ended. */
export function jobResult({
  job,
  outcome,
  summary,
  meter,
  report,
  copy,
  worktree,
  notes,
  startedAt,
  endedAt,
  ...ended
}: EndedJob): JobResult {
  return {
    schemaVersion: 1,
    job,
    state: stateOf(outcome, ended.cancelled),
    outcome: { ...outcome },
    text: cutBytes(summary.resultText, longestAnswer),
    usage: summary.usage === null ? null : { ...summary.usage },
    costUsd: meter.usd,
    toolCalls: summary.toolCalls,
    turns: meter.turns,
    cellMs: Math.round(meter.time),
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    conversation: ended.conversation,
    changes: report === null || report.changes === null ? null : changesOf(report.changes),
    copy,
    worktree,
    notes: [...notes, ...costNotes(meter), ...changeNotes(report?.changes ?? null)].slice(0, mostNotes),
  }
}

function stateOf(outcome: RunOutcome, isCancelled: boolean): JobResult['state'] {
  if (isCancelled || outcome.kind === 'cancelled') return 'cancelled'
  return outcome.kind === 'ran' && outcome.message === null ? 'done' : 'failed'
}

function changesOf({ created, modified, deleted, renamed, runsLater, git, truncated }: ChangeSummary): JobResult['changes'] {
  const longest = Math.max(...[created, modified, deleted, renamed, runsLater].map((each) => each.length))
  return {
    created: created.slice(0, mostListed),
    modified: modified.slice(0, mostListed),
    deleted: deleted.slice(0, mostListed),
    renamed: renamed.slice(0, mostListed).map((each) => ({ ...each })),
    git: git.map((each) => ({
      ...each,
      commits: each.commits.map((commit) => ({ ...commit, protected: [...commit.protected] })),
    })),
    runsLater: runsLater.slice(0, mostListed).map((each) => ({ path: each.path, why: each.why })),
    truncated: truncated || longest > mostListed,
  }
}

function costNotes({ usd, isCostReported }: Meter): readonly string[] {
  return usd === null || isCostReported ? [] : ['Its cost is computed from fleet.prices, because its agent reported none.']
}

function changeNotes(changes: ChangeSummary | null): readonly string[] {
  if (changes === null) return []
  const { quarantined, unsearched, held, unregistered = [] } = changes
  return [
    ...quarantined
      .slice(0, mostNotes)
      .map((each) => `${printableName(each.path)} was quarantined, because a tool of this machine would run it; it is in ${each.movedTo}`),
    ...(held?.left ?? [])
      .slice(0, mostNotes)
      .map((each) => `${printableName(each)} was left as it is, though git has another version checked out.`),
    ...unregistered
      .slice(0, mostNotes)
      .map((each) => `The submodule ${printableName(each.path)} is not in .git/config (git submodule init).`),
    ...unsearched.slice(0, mostNotes).map((each) => `${printableName(each)} could not be searched.`),
  ]
}

/** Returns the start of a text in at most this many bytes, without splitting a character. */
function cutBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })
}
