import { addSpent, nothingSpent } from './contest-spent.ts'
import type { TaskStatus } from './contest-state.ts'

/** The state of a judge over all of its tasks. `attempt` is the number of times that it was asked; costs and times are sums. */
export type Standing = Omit<TaskStatus, 'judge' | 'id' | 'given'>

/** Returns the tasks of one judge. */
export function tasksOf(judge: string, tasks: readonly TaskStatus[]): readonly TaskStatus[] {
  return tasks.filter((each) => each.judge === judge)
}

/**
 * Returns the state of a judge: `scored` if all of its tasks are scored, `failed` if one failed and none is open, `pending` if it has no
 * task. The outcome is that of the first task that failed, or else of the last task that has an outcome.
 */
export function standingOf(judge: string, tasks: readonly TaskStatus[]): Standing {
  const own = tasksOf(judge, tasks)
  const ended = own.find((each) => each.state === 'failed') ?? own.findLast((each) => each.outcome !== null)
  const version = own.findLast((each) => each.version !== undefined)?.version
  const posture = own.findLast((each) => each.posture !== undefined)?.posture
  const earlierCostUsd = own.reduce((sum, each) => sum + (each.earlierCostUsd ?? 0), 0)
  return {
    state: stateOf(own),
    attempt: own.reduce((sum, each) => sum + each.attempt, 0),
    outcome: ended?.outcome ?? null,
    ...own.reduce(addSpent, nothingSpent),
    ...(earlierCostUsd > 0 ? { earlierCostUsd } : {}),
    ...(version === undefined ? {} : { version }),
    ...(posture === undefined ? {} : { posture }),
  }
}

/** Returns the state of each of these judges, by name. Default: all judges that have a task. */
export function standings(tasks: readonly TaskStatus[], judges = tasks.map((each) => each.judge)): Readonly<Record<string, Standing>> {
  return Object.fromEntries(judges.map((judge) => [judge, standingOf(judge, tasks)]))
}

function stateOf(tasks: readonly TaskStatus[]): TaskStatus['state'] {
  const all = (...states: TaskStatus['state'][]): boolean => tasks.every((each) => states.includes(each.state))
  if (all('pending')) return 'pending'
  if (all('scored')) return 'scored'
  return all('scored', 'failed') ? 'failed' : 'running'
}
