import type { AgentAdapter, Installation } from '../../adapters/adapter.ts'
import type { AuditSink } from '../../audit/event.ts'
import type { StartCell } from '../../cell/cell.ts'
import type { PresetFacts } from '../../egress/policy/presets.ts'
import type { RegistryTool } from '../../egress/policy/registry-settings.ts'
import type { Paths } from '../../paths.ts'
import type { SecretKeeper } from '../../run/bound-secrets.ts'
import type { StoredLogins } from '../../run/cell-credentials.ts'
import type { ContestEvent } from '../state/progress.ts'

/** What a contest needs of the world. */
export interface ContestDeps {
  readonly startCell: StartCell
  readonly audit: AuditSink
  /** The user's environment: what `env: [NAME]` names is taken from here, and nothing else. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly paths: Paths
  /** What agents' own CLIs have stored on this machine. */
  readonly logins: StoredLogins
  /** The vault, and what else keeps secrets. */
  readonly secrets: SecretKeeper
  /** Null: the agent is not installed. */
  readonly findInstallation: (adapter: AgentAdapter) => Promise<Installation | null>
  readonly presetFacts: (tools: readonly RegistryTool[]) => Promise<PresetFacts>
  readonly now: () => Date
  /** Aborted on Ctrl-C: all cells end, what is done is kept. */
  readonly signal: AbortSignal
  readonly progress: (event: ContestEvent) => void
  /** Bytes of memory and number of CPUs that `parallel` is worked out from. */
  readonly machine: { readonly memoryBytes: number; readonly cpus: number }
}
