/** A message or an action of an agent, in the same form for every agent. Times are in milliseconds since the epoch. */
export type AgentEvent =
  | { readonly type: 'text'; readonly text: string }
  /** The model's reasoning, as far as the CLI shows it. */
  | { readonly type: 'reasoning'; readonly text: string }
  /** The ID with which the CLI can continue the conversation later. */
  | { readonly type: 'conversation'; readonly id: string }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly id: string; readonly ok: boolean; readonly text: string }
  /** `isLowerBound`: the model may have written more tokens than `usage.output`; a later event has the number. */
  | { readonly type: 'usage'; readonly usage: TokenUsage; readonly isLowerBound?: true }
  | { readonly type: 'cost'; readonly usd: number }
  | ({ readonly type: 'rate-limit'; readonly message: string; readonly resetsAt: number | null; readonly final: boolean } & Reported)
  | ({ readonly type: 'login-needed'; readonly message: string } & Reported)
  | { readonly type: 'result'; readonly ok: boolean; readonly text: string }
  /** `endpoint`: according to the CLI, the model API failed (a server error, or an answer that was cut off or unreadable). */
  | ({ readonly type: 'error'; readonly message: string; readonly endpoint?: true } & Reported)
  | { readonly type: 'unknown'; readonly line: string }

/** The place where an event was reported; absent for events on standard output. */
interface Reported {
  readonly from?: 'standard error'
}

/** Token counts, as totals of the run up to and including this event, so that the last event has the result. */
export interface TokenUsage {
  /** All tokens that the model read, including those from the vendor's cache. */
  readonly input: number
  /** All tokens that the model wrote, including its reasoning. */
  readonly output: number
  /** The part of `input` that was read from the vendor's cache. */
  readonly cachedInput: number
  readonly model: string | null
}
