import type { AuditSink } from '../../audit/event.ts'
import type { RunHost } from '../../host.ts'
import type { IsTrusted } from '../config/asks.ts'
import type { ContestEvent } from '../state/progress.ts'

/** What a contest needs of the world. `env: [NAME]` of contest.yaml is taken from the host's environment, and nothing else. */
export interface ContestDeps extends RunHost {
  readonly audit: AuditSink
  /** Whether the user agreed to what a contest.yaml asks for of theirs. */
  readonly isTrusted: IsTrusted
  readonly now: () => Date
  /** Aborted on Ctrl-C: all cells end, what is done is kept. */
  readonly signal: AbortSignal
  readonly progress: (event: ContestEvent) => void
  /** Bytes of memory and number of CPUs that `parallel` is worked out from. */
  readonly machine: { readonly memoryBytes: number; readonly cpus: number }
}
