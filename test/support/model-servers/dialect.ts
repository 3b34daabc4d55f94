import type { ServerResponse } from 'node:http'
import type { Json } from './json.ts'
import type { Conversation, Failure, Usage } from './script.ts'

/** One step, made concrete: a text, or a call of one of the tools that were offered. */
export type Turn =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly tool: string; readonly input: Json }

export interface OfferedTool {
  readonly name: string
  /** JSON Schema of the tool's input. */
  readonly schema: Json
}

export interface Exchange {
  readonly path: string
  readonly asked: Json
  readonly conversation: Conversation
  readonly turn: Turn
  readonly usage: Usage
  /** Counts up by one an exchange, for ids. */
  readonly serial: number
}

/** How one vendor's API reads and speaks. */
export interface Dialect {
  readonly name: Conversation['dialect']
  /** True for the paths of the API calls that continue a conversation. */
  speaks(path: string): boolean
  /** Answers the vendor's other paths (model lists, token counts) with a body; null: not known. */
  aside(method: string, path: string, asked: Json): Json | null
  read(path: string, asked: Json): Omit<Conversation, 'authenticated'>
  tools(asked: Json): readonly OfferedTool[]
  /** Answers where the wire format must be JSON of a wished shape (gemini's routing); null: speak as usual. */
  wished(asked: Json): string | null
  answer(exchange: Exchange, response: ServerResponse): void
  refuse(failure: Exclude<Failure, 'hang-up'>, response: ServerResponse, resetsInSeconds: number): void
}
