/** One thing an agent said or did, the same for every agent. Times are milliseconds since the epoch. */
export type AgentEvent =
  | { readonly type: 'text'; readonly text: string }
  /** By which the CLI continues the conversation later. */
  | { readonly type: 'conversation'; readonly id: string }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly id: string; readonly ok: boolean; readonly text: string }
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'cost'; readonly usd: number }
  | ({ readonly type: 'rate-limit'; readonly message: string; readonly resetsAt: number | null; readonly final: boolean } & Reported)
  | ({ readonly type: 'login-needed'; readonly message: string } & Reported)
  | { readonly type: 'result'; readonly ok: boolean; readonly text: string }
  /** `endpoint`: the model API failed, by the CLI's own account: a server error, an answer cut off, one that it could not read. */
  | ({ readonly type: 'error'; readonly message: string; readonly endpoint?: true } & Reported)
  | { readonly type: 'unknown'; readonly line: string }

/** Where it was reported; absent for the events on standard output. */
interface Reported {
  readonly from?: 'standard error'
}

/** Token counts; totals of the whole run up to and including this event, so that the last one is the answer. */
export interface TokenUsage {
  /** Every token that the model read, those out of the vendor's cache included. */
  readonly input: number
  /** Every token that the model wrote, its reasoning included. */
  readonly output: number
  /** Of `input`: those read out of the vendor's cache. */
  readonly cachedInput: number
  readonly model: string | null
}
