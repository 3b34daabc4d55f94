import type { Json } from './json.ts'

/** What a model is told so far, the same for every vendor's dialect. */
export interface Conversation {
  readonly dialect: 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'
  readonly model: string
  /** True where the request carried a key or token of any value. */
  readonly authenticated: boolean
  readonly system: string
  /** The texts of the user's messages in order, with whatever the agent CLI puts around the prompt. */
  readonly userTexts: readonly string[]
  /** What the model itself said so far. */
  readonly said: readonly string[]
  /** The outputs of the tools that were run so far, in order. */
  readonly toolResults: readonly string[]
  /** The names of the tools that the agent CLI offers. Empty for its side errands (titles, quota probes). */
  readonly tools: readonly string[]
}

export type Failure = 'rate-limit' | 'auth' | 'overloaded' | 'hang-up'

/** What the model does next. `run` becomes a call of the agent's shell tool; without one it becomes a text. A rate limit is reset after an hour by default. */
export type Step =
  | { readonly say: string }
  | { readonly run: string }
  /** Calls this tool, whether it was offered or not. */
  | { readonly call: string; readonly input: Json }
  | { readonly fail: Failure; readonly resetsInSeconds?: number }

export type Script = (conversation: Conversation) => Step | Promise<Step>

/** The script that runs these commands one after the other, then says its closing text. */
export function commandsThenText(commands: readonly string[], text: string): Script {
  return (conversation) => {
    const next = commands[conversation.toolResults.length]
    return next === undefined || conversation.tools.length === 0 ? { say: text } : { run: next }
  }
}

export interface Usage {
  /** Tokens of the request, those from the cache included. */
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** About four bytes to a token. On later turns all but the newest tool result counts as read from the cache. */
export function countUsage(requestBytes: number, conversation: Conversation, answer: string): Usage {
  const tokens = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4))
  const input = tokens(requestBytes)
  const newest = conversation.toolResults.at(-1)
  const cached = newest === undefined ? 0 : Math.max(0, input - tokens(Buffer.byteLength(newest)) - 16)
  return { input, cached, output: tokens(Buffer.byteLength(answer)) }
}
