import type { AuditSink } from '../../audit/event.ts'
import type { BasePosture } from '../../config/base-posture.ts'
import type { Host, RunHost } from '../../host.ts'
import type { IsTrusted } from '../config/asked-rights.ts'
import type { ContestEvent } from './progress.ts'

/** The host dependencies of a contest. From the host's environment, only the variables in `env: [NAME]` of contest.yaml are used. */
export interface ContestDeps extends RunHost, Pick<Host, 'programs'>, Partial<Pick<Host, 'backend'>> {
  readonly audit: AuditSink
  /** Returns whether the user agreed to the asks of a contest.yaml. */
  readonly isTrusted: IsTrusted
  /** The isolation level where contest.yaml names none. Absent: the default level. */
  readonly posture?: BasePosture
  readonly now: () => Date
  /** Aborted on Ctrl-C. All cells are then stopped, and finished work is kept. */
  readonly signal: AbortSignal
  readonly progress: (event: ContestEvent) => void
  /** The memory and the number of CPUs that `parallel` is derived from. */
  readonly machine: { readonly memoryBytes: number; readonly cpus: number }
}
