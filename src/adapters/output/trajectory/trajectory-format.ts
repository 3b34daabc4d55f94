/**
 * The format of a trajectory: ATIF (Agent Trajectory Interchange Format, RFC 0001 of Harbor), as far as Paddock writes it. Absent values are
 * left out, never null.
 */
export interface TrajectoryStep {
  /** Counted from 1 without gaps. */
  readonly step_id: number
  /** ISO 8601. */
  readonly timestamp?: string
  readonly source: TrajectorySource
  readonly message: string
  readonly reasoning_content?: string
  readonly tool_calls?: readonly TrajectoryCall[]
  readonly observation?: { readonly results: readonly TrajectoryResult[] }
  readonly metrics?: TrajectoryMetrics
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Only steps of the agent have reasoning, tool calls and metrics. */
export type TrajectorySource = 'user' | 'agent' | 'system'

export interface TrajectoryCall {
  /** Unique in the step. */
  readonly tool_call_id: string
  readonly function_name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface TrajectoryResult {
  /** A call of the same step. Absent: the call is not in this step. */
  readonly source_call_id?: string
  readonly content: string
  readonly extra?: Readonly<Record<string, unknown>>
}

/** The tokens and the cost of one step. `prompt_tokens` includes `cached_tokens`. */
export interface TrajectoryMetrics {
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
  readonly cached_tokens?: number
  readonly cost_usd?: number
}

/**
 * The version of ATIF. It is the first in which the result of a tool call can have `extra`, which marks the calls that failed. Version 1.8
 * only adds audio.
 */
export const trajectoryVersion = 'ATIF-v1.7'
