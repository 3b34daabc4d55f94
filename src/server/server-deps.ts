import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Registry } from 'prom-client'
import type { EventReader } from '../fleet/store/event-log.ts'
import type { SessionStore } from '../fleet/store/session-store.ts'
import type { Tokens } from '../fleet/store/token-store.ts'
import type { Access } from './access/server-access.ts'
import type { Clock } from './access/steady-clock.ts'
import type { StreamLimits } from './streams/pump.ts'
import type { StreamAnswers } from './streams/stream-answer.ts'

/** The app, with zod schemas for its routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** One state change that was made over the API. */
export interface Change {
  readonly actor: string
  readonly method: string
  /** The pattern of the route, not the path. */
  readonly route: string
  readonly params: Readonly<Record<string, unknown>>
  readonly status: number
}

/** Further dependencies of routes. */
export interface RouteMeans {
  readonly access: Access
  readonly streams: StreamAnswers
  readonly metrics: Registry
}

/** The dependencies of the app. */
export interface AppDeps {
  readonly version: string
  readonly tokens: Tokens
  /** The store for browser sessions. Without it, sessions end with the server. */
  readonly sessions?: SessionStore
  readonly events: EventReader
  readonly log: FastifyBaseLogger
  /** Returns null if the server can accept work, or the reason why it cannot, in one sentence. */
  readonly notReady: () => string | null
  /** Called for each state change before the response is sent. If it throws because recording failed, the response is an error. */
  readonly onChange: (change: Change) => void | Promise<void>
  /** Adds further routes, which declare their roles like all others. */
  readonly routes?: (app: App, means: RouteMeans) => void | Promise<void>
  readonly clock?: Clock
  readonly streamLimits?: StreamLimits
  /** The largest request body, in bytes. */
  readonly bodyLimit?: number
}
