import type { ContestStatus, JudgeStatus } from '../state/status.ts'
import type { Mapping } from './labels.ts'

/** One judging, and how its judges ended. */
export interface Judging {
  readonly judging: number
  readonly judges: Readonly<Record<string, JudgeStatus>>
}

/** True if a judge still has to be asked: not yet, interrupted, or failed and asked for again. */
export function mustJudge(status: JudgeStatus, retry: boolean): boolean {
  if (status.state === 'pending' || status.state === 'running') return true
  return status.state === 'failed' && (retry || status.outcome?.kind === 'cancelled')
}

/** True if every judge of a judging was asked to the end, and one gave scores; judges that contest.yaml no longer has do not matter. */
export function isComplete(mapping: Mapping, judges: Judging['judges']): boolean {
  const asked = mapping.tasks.flatMap(({ judge }) => (Object.hasOwn(judges, judge) ? [judges[judge] as JudgeStatus] : []))
  return asked.some((each) => each.state === 'scored') && asked.every((each) => !mustJudge(each, false))
}

/**
 * Returns the judging whose scores count, and its mapping: the newest complete one, else the unfinished one; null if no judging is usable.
 * `read` resolves to null for a judging of other submissions.
 */
export async function countedJudging(
  { judging, judges, complete }: Pick<ContestStatus, 'judging' | 'judges' | 'complete'>,
  read: (judging: number) => Promise<Mapping | null>,
): Promise<(Judging & { readonly mapping: Mapping }) | null> {
  const newest = judging === 0 ? null : await read(judging)
  if (newest !== null && isComplete(newest, judges)) return { judging, judges, mapping: newest }
  const before = complete === undefined ? null : await read(complete.judging)
  if (complete !== undefined && before !== null) return { ...complete, mapping: before }
  return newest === null ? null : { judging, judges, mapping: newest }
}
