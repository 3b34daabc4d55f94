import { formatDuration } from '../../../base/quantities.ts'
import { printable } from '../../../base/text.ts'
import type { components } from '../../../client/api.ts'
import { filesText, gitFacts } from '../../../run/changes-text.ts'
import { usageText } from '../../run/event-lines.ts'
import { table } from '../../terminal/table.ts'
import { budgetText } from './budget-amounts.ts'

export type Job = components['schemas']['Job']

/** Returns a text for people that says how a job ended. */
export function endLines({ id, state, result, problem }: Job): readonly string[] {
  const { message, hint } = result?.outcome ?? { message: problem, hint: null }
  const used = result === null ? null : usageText(result.usage, result.costUsd)
  const changes = result?.changes ?? null
  return [
    `job ${id} is ${state}${message === null ? '' : `: ${printable(message)}`}`,
    ...(hint === null ? [] : [`hint: ${printable(hint)}`]),
    ...(used === null ? [] : [`it used ${used}`]),
    ...(changes === null || (areSame(changes) && changes.git.length === 0) ? [] : [`its changes: ${filesText(changes)}`]),
    ...(changes?.git ?? []).flatMap((each) => gitFacts(each).map((fact) => `in ${printable(each.workTree)}: ${fact}`)),
    ...(result?.copy == null || result.toApply === 0 ? [] : [waitText(result, id)]),
    ...(result?.worktree == null ? [] : [branchText(result.worktree, result.toApply, id)]),
    ...(result?.notes ?? []).map(printable),
  ]
}

function waitText({ toApply, files }: NonNullable<Job['result']>, id: string): string {
  const which = toApply < files ? `${toApply} of its ${files} changed files still wait` : 'its changes wait'
  return `${which} for you: paddock job review ${id}`
}

function branchText(tree: NonNullable<NonNullable<Job['result']>['worktree']>, toMerge: number, id: string): string {
  const { name, unmerged, uncommitted } = tree
  if (toMerge === 0 && unmerged !== 0 && unmerged !== null) return `its branch ${name} was merged or deleted`
  const counts = [
    ...(unmerged === null ? [] : [`${unmerged} ${unmerged === 1 ? 'commit' : 'commits'} to merge`]),
    ...(uncommitted === null || uncommitted === 0 ? [] : [`${uncommitted} uncommitted ${uncommitted === 1 ? 'file' : 'files'}`]),
  ]
  return `its work is on branch ${name}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}: paddock job review ${id}`
}

/** Returns lines that describe a job in full. */
export function jobLines(job: components['schemas']['WholeJob']): readonly string[] {
  const { result } = job
  const reason = result?.outcome.message ?? job.problem
  const changed = [
    ...(result?.changes?.created ?? []).map((each) => `  new       ${each}`),
    ...(result?.changes?.modified ?? []).map((each) => `  modified  ${each}`),
    ...(result?.changes?.deleted ?? []).map((each) => `  deleted   ${each}`),
    ...(result?.changes?.renamed ?? []).map(({ from, to }) => `  renamed   ${from} → ${to}`),
  ]
  const commits = (result?.changes?.git ?? []).flatMap((each) => each.commits)
  return [
    `${job.id}  ${job.state}`,
    `agent     ${job.agent ?? 'any free one'}`,
    `created   ${job.createdAt} by ${printable(job.requestedBy)}`,
    ...(job.budget === null ? [] : [`budget    ${budgetText(job.budget)}`]),
    ...(job.startedAt === null ? [] : [`started   ${job.startedAt}`]),
    ...(job.endedAt === null ? [] : [`ended     ${job.endedAt} (${tookText(job)})`]),
    ...(reason === null ? [] : [`reason    ${printable(reason)}`]),
    ...endLines(job).slice(1),
    'prompt',
    ...job.prompt.split('\n').map((line) => `  ${printable(line)}`),
    ...(result === null || result.text === '' ? [] : ['answer', ...result.text.split('\n').map((line) => `  ${printable(line)}`)]),
    ...(changed.length === 0 ? [] : ['files', ...changed.map(printable)]),
    ...(commits.length === 0 ? [] : ['commits', ...commits.map(({ hash, subject }) => `  ${hash.slice(0, 10)} ${printable(subject)}`)]),
  ]
}

function tookText({ startedAt, endedAt }: Pick<Job, 'startedAt' | 'endedAt'>): string {
  if (startedAt === null) return '-'
  return formatDuration((endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(startedAt))
}

function areSame({ created, modified, deleted, renamed }: NonNullable<NonNullable<Job['result']>['changes']>): boolean {
  return [created, modified, deleted, renamed].every((each) => each.length === 0)
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** Returns a table of jobs. */
export function jobTable(jobs: readonly Job[]): readonly string[] {
  const rows = jobs.map((job) => [job.id, job.state, job.agent ?? '-', tookText(job), firstLine(job.promptStart)])
  return table(['JOB', 'STATE', 'AGENT', 'TIME', 'PROMPT'], rows)
}
