import type { AuditSink } from '../../audit/event.ts'
import type { RunHost } from '../../host.ts'
import type { IsTrusted } from '../config/asks.ts'
import type { ContestEvent } from '../state/progress.ts'

/** The dependencies of a contest on its host. Only `env: [NAME]` of contest.yaml is taken from the host's environment. */
export interface ContestDeps extends RunHost {
  readonly audit: AuditSink
  /** Whether the user agreed to what a contest.yaml asks for. */
  readonly isTrusted: IsTrusted
  readonly now: () => Date
  /** Aborted on Ctrl-C: all cells end, and finished work is kept. */
  readonly signal: AbortSignal
  readonly progress: (event: ContestEvent) => void
  /** Bytes of memory and number of CPUs that `parallel` is derived from. */
  readonly machine: { readonly memoryBytes: number; readonly cpus: number }
}
