import type { ServerResponse } from 'node:http'
import type { Json } from './json.ts'
import type { Conversation, Failure, Usage } from './script.ts'

/** One concrete step: a text, or a call of one of the offered tools. */
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
  /** Increases by one per exchange; used for ids. */
  readonly serial: number
}

/** The request and response format of one vendor's API. */
export interface Dialect {
  readonly name: Conversation['dialect']
  /** Returns true for paths of API calls that continue a conversation. */
  speaks(path: string): boolean
  /** Returns the body for the vendor's other paths (model lists, token counts); null: unknown path. */
  aside(method: string, path: string, asked: Json): Json | null
  read(path: string, asked: Json): Omit<Conversation, 'authenticated'>
  tools(asked: Json): readonly OfferedTool[]
  /** Returns the answer if the request demands JSON of a certain schema (gemini's routing); null: answer normally. */
  wished(asked: Json): string | null
  answer(exchange: Exchange, response: ServerResponse): void
  refuse(failure: Exclude<Failure, 'hang-up'>, response: ServerResponse, resetsInSeconds: number): void
}
