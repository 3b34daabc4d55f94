import type { BackendName } from '../../base/cell-place.ts'
import type { Posture } from '../../base/posture.ts'
import type { OriginedRule } from '../../base/trifecta-rating.ts'
import type { LimitWishes } from '../../cell/plan/cell-limits.ts'
import type { SharedDeps } from '../../cell/plan/spec.ts'
import type { CredentialWay } from '../../credentials/credential-way.ts'
import type { SecretWish } from '../../credentials/secret-wish.ts'
import type { RepositoryWish } from '../../egress/forge/repository.ts'
import type { AllowEntry, RuleAction } from '../../egress/policy/egress-policy.ts'
import type { HostRule } from '../../egress/requests/rule-text.ts'

/** The origin of a value. */
export interface Origin {
  /** The place, for messages: an option (`--allow`), FILE:LINE, or a key (`participants[1].egress.allow[0]`). */
  readonly place: string
  /**
   * `caller`: an option, a manifest, a contest. `user`: the user's configuration, whose paths and variables are used only if they exist.
   * `project`: the project's file, which never overrides the user's wishes.
   */
  readonly from: 'caller' | 'user' | 'project'
}

export interface Sourced<T> {
  readonly value: T
  readonly origin: Origin
}

export type EgressMode = 'off' | 'allowlist' | 'public' | 'open'

/** The requested egress of a cell. */
export interface EgressRequest {
  readonly policy: Sourced<EgressMode>
  /** True: the cell reaches only what the agent itself needs. */
  readonly private: boolean
  readonly allow: readonly Sourced<AllowEntry>[]
  /** Hosts for which every connection waits for an approval. */
  readonly ask: readonly Sourced<AllowEntry>[]
  /** Ranges in CIDR notation that `public` rejects in addition to the internal ones. */
  readonly block: readonly Sourced<string>[]
  readonly presets: readonly Sourced<string>[]
  readonly inspect: readonly Sourced<AllowEntry>[]
  readonly rules: readonly Sourced<HostRule>[]
  readonly ruleSets: readonly Sourced<{ readonly name: string; readonly action: RuleAction }>[]
}

/**
 * A parsed request for one run. Every value is typed and valid in itself. `prepare` finds the program, login and network on the machine.
 */
export interface RunRequest {
  /** The name of an adapter; `command` for any program. */
  readonly agent: string
  /** The program and its arguments, for `command`; empty for other agents. */
  readonly command: readonly string[]
  readonly model: string | null
  /** Extra arguments for the agent's program. */
  readonly args: readonly string[]
  /** True: `args` is the whole command line of the agent's program. Absent: the adapter adds its own options. */
  readonly asIs?: true
  /** The http or https URL of a model endpoint that replaces the vendor's. */
  readonly baseUrl: Sourced<string> | null
  /** True: the agent has a terminal. False: it gets a prompt on standard input. */
  readonly terminal: boolean
  readonly credentials: CredentialWay | null
  /** False: the agent's stored login on this machine is not used. */
  readonly login: boolean
  readonly secrets: readonly SecretWish[]
  readonly repositories: readonly RepositoryWish[]
  /** Variables: NAME passes on a variable of the caller's environment, NAME=VALUE sets one. */
  readonly env: readonly Sourced<string>[]
  /** Host paths that the cell sees, absolute or relative to the working directory of the run. */
  readonly mounts: readonly Sourced<{ readonly path: string; readonly access: 'ro' | 'rw' }>[]
  /** Paths that appear empty in the cell. */
  readonly masks: readonly Sourced<string>[]
  readonly egress: EgressRequest
  readonly limits: LimitWishes
  /** TCP ports of the cell's loopback that the host will connect to. */
  readonly publish: readonly number[]
  /** What happens to files that other directories share by hard links (`CellSpec.deps`). */
  readonly deps: SharedDeps
  /** True: the cell and the agent's own instructions describe the limits of the cell. */
  readonly brief: boolean
  readonly posture: Posture
  /** The origin of the wish that the agent gets none of its own web tools. Absent: it has them. */
  readonly withoutWebTools?: Origin
  /** The rule of the project's file or of the user's configuration about the lethal trifecta. Absent: only that of the configuration counts. */
  readonly trifecta?: OriginedRule
  readonly backend: BackendName
  /** True: the user knows that nothing is protected at L0 (`--i-know`). */
  readonly isBareHost?: true
  /** Where the agent reads text that others wrote, as the user named it. */
  readonly untrusted: readonly string[]
  /** Names that the cell cannot use at the root of its trees (`CellSpec.strictNames`). */
  readonly strictNames: boolean | readonly string[]
  /** The names of guarantees that are given up. */
  readonly degraded: readonly string[]
}
