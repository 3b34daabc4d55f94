import type { AuditSink } from '../../audit/event.ts'
import type { BasePlace } from '../../config/base-place.ts'
import type { Host, RunHost } from '../../host.ts'
import type { IsTrusted } from '../config/asked-rights.ts'
import type { ContestEvent } from './progress.ts'

/** The host dependencies of a contest. From the host's environment, only the variables in `env: [NAME]` of contest.yaml are used. */
export interface ContestDeps extends RunHost, Pick<Host, 'programs'>, Partial<Pick<Host, 'backends'>> {
  readonly audit: AuditSink
  /** Returns whether the user agreed to the asks of a contest.yaml. */
  readonly isTrusted: IsTrusted
  /** The isolation level and the backend where contest.yaml names none. Absent: the defaults. */
  readonly place?: BasePlace
  readonly now: () => Date
  /** Aborted on Ctrl-C. All cells are then stopped, and finished work is kept. */
  readonly signal: AbortSignal
  readonly progress: (event: ContestEvent) => void
  /** The memory and the number of CPUs that `parallel` is derived from. */
  readonly machine: { readonly memoryBytes: number; readonly cpus: number }
}
