import type { Json } from './json.ts'

/** The conversation so far, in the same form for every vendor's dialect. */
export interface Conversation {
  readonly dialect: 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'
  readonly model: string
  /** True if the request had a key or token with any value. */
  readonly authenticated: boolean
  readonly system: string
  /** The texts of the user's messages in order, including everything that the agent CLI puts around the prompt. */
  readonly userTexts: readonly string[]
  /** Texts of the model so far. */
  readonly said: readonly string[]
  /** Outputs of the tools so far, in order. */
  readonly toolResults: readonly string[]
  /** The names of the tools that the agent CLI offers. Empty for its side requests (titles, quota probes). */
  readonly tools: readonly string[]
}

export type Failure = 'rate-limit' | 'auth' | 'overloaded' | 'hang-up'

/**
 * The next step of the model. `run` becomes a call of the agent's shell tool, or a text if there is no such tool. A rate limit is reset
 * after an hour by default.
 */
export type Step =
  | { readonly say: string }
  | { readonly run: string }
  /** Calls this tool, whether it was offered or not. */
  | { readonly call: string; readonly input: Json }
  | { readonly fail: Failure; readonly resetsInSeconds?: number }

export type Script = (conversation: Conversation) => Step | Promise<Step>

/** Returns a script that runs these commands one after the other, then ends with a text. */
export function commandsThenText(commands: readonly string[], text: string): Script {
  return (conversation) => {
    const next = commands[conversation.toolResults.length]
    return next === undefined || conversation.tools.length === 0 ? { say: text } : { run: next }
  }
}

export interface Usage {
  /** Tokens of the request, including cached ones. */
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** Counts about four bytes per token. On later turns, everything except the newest tool result counts as cached. */
export function countUsage(requestBytes: number, conversation: Conversation, answer: string): Usage {
  const tokens = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4))
  const input = tokens(requestBytes)
  const newest = conversation.toolResults.at(-1)
  const cached = newest === undefined ? 0 : Math.max(0, input - tokens(Buffer.byteLength(newest)) - 16)
  return { input, cached, output: tokens(Buffer.byteLength(answer)) }
}
