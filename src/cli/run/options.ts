import type { BackendName } from '../../base/cell-place.ts'
import type { Posture } from '../../base/posture.ts'

/** The options of `paddock run`, as commander gives them. */
export interface RunOptions {
  readonly prompt?: string
  readonly promptFile?: string
  readonly continue?: string
  readonly raw?: boolean
  readonly asIs?: boolean
  readonly model?: string
  readonly baseUrl?: string
  readonly credentials?: string
  readonly egress: string
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly block: readonly string[]
  readonly preset: readonly string[]
  readonly inspect: readonly string[]
  readonly rule: readonly string[]
  readonly rules: readonly string[]
  readonly private?: boolean
  readonly ro: readonly string[]
  readonly rw: readonly string[]
  readonly mask?: readonly string[]
  readonly env: readonly string[]
  readonly repo: readonly string[]
  readonly login: boolean
  readonly secret: readonly string[]
  readonly timeout?: string
  readonly silence?: string
  readonly memory?: string
  readonly pids?: string
  readonly cpus?: string
  readonly fileSize?: string
  readonly disk?: string
  readonly publish: readonly string[]
  /** The name of another machine (`paddock remote`). */
  readonly on?: string
  readonly keep?: string
  readonly copy?: boolean
  readonly copyIgnored?: boolean
  readonly worktree?: string
  readonly worktreeIn?: string
  readonly strictNames?: boolean
  readonly posture?: Posture
  readonly webTools: boolean
  readonly backend?: BackendName
  readonly iKnow?: boolean
  readonly untrusted: readonly string[]
  readonly deps?: string
  readonly brief: boolean
  readonly ephemeral?: boolean
  readonly keepHome?: boolean
  readonly projectFile: boolean
  readonly dryRun?: boolean
  readonly report?: string
  readonly trajectory?: string
  readonly allowDegraded: readonly string[]
  readonly nestedSandbox?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

/** Returns true if the option with this name in `RunOptions` was given on the command line. */
export type IsGiven = (option: string) => boolean
