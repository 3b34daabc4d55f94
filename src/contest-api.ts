import { resolvePaths } from './base/paths.ts'
import { applyMachineSettings } from './config/machine-settings.ts'
import { readContest } from './contest/config/brief.ts'
import { refuseLinkedRecords } from './contest/config/refuse-linked-records.ts'
import { reportContest } from './contest/report/report-contest.ts'
import type { ContestResult } from './contest/report/result.ts'
import { contestDeps } from './contest/run/host-deps.ts'
import { runContest as run } from './contest/stages/run-contest.ts'
import type { ContestStatus } from './contest/state/contest-state.ts'
import type { ContestEvent } from './contest/state/progress.ts'
import { type EventsRead, readEvents } from './contest/state/read-events.ts'
import { contestStatus as standingOf } from './contest/state/task-state.ts'
import { openHost } from './host.ts'

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface RunContestOptions {
  /** Starts a new round. Earlier rounds stay on the disk. */
  readonly fresh?: boolean
  /** Reruns participants and judges that failed to run. */
  readonly retry?: boolean
  /** With `retry`: reruns only this participant or judge, regardless of its outcome. */
  readonly only?: string
  /** The maximum number of cells at the same time; takes precedence over contest.yaml. */
  readonly parallel?: number
  /** When aborted, ends all cells. Finished work is kept, and the next call continues from there. */
  readonly signal?: AbortSignal
  /** Called with every event, including all messages and actions of agents. */
  readonly onEvent?: (event: ContestEvent) => void
  /** Called with each line that `paddock contest run` would print as a notice. */
  readonly onNotice?: (line: string) => void
  /**
   * The environment in which Paddock finds agents, credentials and its own directories (`PADDOCK_HOME`). Default: the process's
   * environment.
   */
  readonly env?: Environment
}

export async function runContest(directory: string, options: RunContestOptions = {}): Promise<ContestResult> {
  const { signal = new AbortController().signal, onEvent = () => {}, onNotice = () => {}, env = process.env, ...rest } = options
  const paths = resolvePaths({ ...env })
  await applyMachineSettings(paths, env, process.cwd())
  using host = openHost({ env: { ...env }, notice: onNotice })
  return await run(directory, await contestDeps(host, { signal, progress: onEvent }), rest)
}

/** The state of a contest: its status.json (null: the contest was never run), and whether a process is working on it now. */
export interface ContestStanding {
  readonly status: ContestStatus | null
  readonly atWork: boolean
}

export async function contestStatus(directory: string, options: { readonly env?: Environment } = {}): Promise<ContestStanding> {
  const { status, atWork } = await standingOf(directory, resolvePaths({ ...(options.env ?? process.env) }))
  return { status, atWork }
}

export async function contestEvents(
  directory: string,
  options: { readonly after?: number; readonly limit?: number } = {},
): Promise<EventsRead> {
  const { layout } = await readContest(directory)
  await refuseLinkedRecords(layout)
  return await readEvents(layout, options)
}

export async function contestReport(directory: string): Promise<ContestResult> {
  return await reportContest(directory, () => new Date())
}
