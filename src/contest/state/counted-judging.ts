import type { ContestStatus, TaskStatus } from './contest-state.ts'
import { standings, tasksOf } from './judge-state.ts'

/** One judging and the status of its tasks. */
interface Judging {
  readonly judging: number
  readonly tasks: readonly TaskStatus[]
}

/** Returns true if a task must still be given to its judge: it is pending or was interrupted, or it failed and is to be retried. */
export function mustJudge(status: TaskStatus, retry: boolean): boolean {
  if (status.state === 'pending' || status.state === 'running') return true
  return status.state === 'failed' && (retry || status.outcome?.kind === 'cancelled')
}

/** Returns true if a judge must still be asked: one of its tasks is still to be done, or it has no task yet. */
export function mustAsk(judge: string, tasks: readonly TaskStatus[], retry: boolean): boolean {
  const own = tasksOf(judge, tasks)
  return own.length === 0 || own.some((each) => mustJudge(each, retry))
}

/**
 * Returns true if every task of a judging is finished and at least one judge gave scores. Judges that contest.yaml no longer names do not
 * matter.
 */
export function isComplete(tasks: readonly TaskStatus[]): boolean {
  return Object.values(standings(tasks)).some((each) => each.state === 'scored') && !tasks.some((each) => mustJudge(each, false))
}

/**
 * Returns the judging whose scores count, with its mapping: the newest complete one, or else the unfinished one; null if neither is usable.
 * `read` resolves to null for a judging of other submissions.
 */
export async function countedJudging<Mapping>(
  { judging, tasks, complete }: Pick<ContestStatus, 'judging' | 'tasks' | 'complete'>,
  read: (judging: number) => Promise<Mapping | null>,
): Promise<(Judging & { readonly mapping: Mapping }) | null> {
  const newest = judging === 0 ? null : await read(judging)
  if (newest !== null && isComplete(tasks)) return { judging, tasks, mapping: newest }
  const before = complete === undefined ? null : await read(complete.judging)
  if (complete !== undefined && before !== null) return { ...complete, mapping: before }
  return newest === null ? null : { judging, tasks, mapping: newest }
}
