import { type FetchingStrategyOptions, type SessionInfo, WebSocketShard, WebSocketShardEvents, WebSocketShardStatus } from '@discordjs/ws'
import type { GatewaySession } from '../store/discord-store.ts'
import { guardShard } from './guarded-shard.ts'
import { waitAfter } from './waits.ts'

/** The intent for messages in server channels. Messages that mention the bot include their text even without the privileged intent. */
const guildMessages = 1 << 9

/** Close codes after which another attempt cannot succeed, each with its remedy. */
const fatal: Readonly<Record<number, string>> = {
  4004: 'Discord refuses the token. Make a new one in the developer portal, and run: paddock discord connect',
  4010: 'Discord refuses the shard of this connection.',
  4011: 'The bot is in too many servers for one connection.',
  4012: 'Discord no longer supports version 10 of its gateway. Install a newer Paddock.',
  4013: 'Discord refuses the intents of this connection. Install a newer Paddock.',
  4014: 'Discord does not grant the bot the intent Guild Messages. Look at the bot in the developer portal, and run: paddock discord connect',
}
/** Close codes after which the session no longer exists. */
const forgotten: readonly number[] = [1000, 1001, 4007, 4009]

/** The number of failures that a local failure counts as: the connection works, and the cause (a full disk) will not go away soon. */
const afterHandling = 4

/** The most frames that are sent again after the server was killed. */
const mostAgain = 50

export type GatewayState = 'connecting' | 'ready' | 'broken'

export interface GatewayDeps {
  readonly token: string
  /** The URL that the API returned. */
  readonly url: string
  /** Returns whether a URL that the gateway names may be used. */
  readonly isGateway: (url: string) => boolean
  readonly session: () => GatewaySession | null
  readonly remember: (session: GatewaySession | null) => void
  /** Called in order. The session advances past a frame only once the frame was handled, so that an unhandled frame is sent again. */
  readonly onDispatch: (name: string, data: unknown) => Promise<void>
  /** `fresh`: earlier events are not sent again. */
  readonly onState: (state: GatewayState, about: { readonly problem: string | null; readonly fresh: boolean }) => void
}

/** Maintains a connection to the gateway. It resumes after a break, identifies if it cannot resume, and waits longer after each failure. */
export function openGateway({ token, url, isGateway, session, remember, onDispatch, onState }: GatewayDeps): AsyncDisposable {
  const closing = new AbortController()
  let failures = 0
  let [isInvalid, isFresh] = [false, false]
  /** The session of the connection, which is ahead of the handled frames. */
  let now: SessionInfo | null = sessionInfo(session(), isGateway)
  let reached = session()
  let handling: Promise<void> = Promise.resolve()
  let shard: WebSocketShard

  const options: FetchingStrategyOptions = {
    ...{ token, intents: guildMessages, version: '10', encoding: 'json' as FetchingStrategyOptions['encoding'] },
    ...{ compression: null, useIdentifyCompression: false, largeThreshold: null, initialPresence: null },
    ...{ handshakeTimeout: 15_000, helloTimeout: 15_000, readyTimeout: 15_000, shardCount: 1 },
    identifyProperties: { browser: 'paddock', device: 'paddock', os: process.platform },
    gatewayInformation: { url, shards: 1, session_start_limit: { total: 1, remaining: 1, reset_after: 0, max_concurrency: 1 } },
  }
  const ready = (fresh: boolean): void => {
    failures = 0
    onState('ready', { problem: null, fresh })
  }
  /** Records the position of the handled frames from time to time: the server has other writers, and a repeated frame has no effect. */
  const handled = ({ sessionId: id, resumeURL }: SessionInfo, sequence: number): void => {
    const isSame = reached?.id === id
    reached = { id, sequence: isSame ? Math.max(sequence, reached?.sequence ?? 0) : sequence, url: resumeURL }
    if (!isSame || reached.sequence - (session()?.sequence ?? 0) >= mostAgain) remember(reached)
  }
  const handle = (name: string, sequence: number, data: unknown, from: WebSocketShard): void => {
    // Another session may have started by the time the frame is handled.
    const of = now
    handling = handling.then(async () => {
      if (closing.signal.aborted || from !== shard) return
      try {
        await onDispatch(name, data)
        if (of !== null) handled(of, sequence)
      } catch {
        // This frame and the later ones must be sent again: go back to the recorded position.
        now = sessionInfo(session(), isGateway)
        failures = afterHandling
        replace(from)
      }
    })
  }
  /** Replaces a connection that failed. */
  const replace = (failed: WebSocketShard): void => {
    if (failed !== shard || closing.signal.aborted) return
    shard = begin()
    void failed.destroy({ code: 4200 })
  }
  const begin = (): WebSocketShard => {
    let isGreeted = false
    const made: WebSocketShard = new WebSocketShard(
      {
        options,
        async retrieveSessionInfo() {
          // The library also asks at the start of each connection.
          if (made.status === WebSocketShardStatus.Idle) {
            await waitAfter(failures++, closing.signal)
            // A newer connection would have no owner.
            if (closing.signal.aborted || made !== shard) await new Promise(() => undefined)
            isGreeted = false
          }
          return now
        },
        updateSessionInfo(_, info) {
          if (made !== shard) return
          // The library forgets the session after each network failure, but Discord does not.
          if (info !== null) now = isGateway(info.resumeURL) ? info : { ...info, resumeURL: url }
          else if (isInvalid) {
            now = null
            reached = null
            handling = handling.then(() => remember(null))
          }
          isInvalid = false
        },
        async waitForIdentify() {
          isFresh = true
        },
      },
      0,
    )
    guardShard(made, {
      onFrame(frame) {
        if (frame.op === 9) isInvalid = !frame.d
        if (frame.op !== 10) return frame
        // A second one would start a second heartbeat that never ends.
        if (isGreeted) return null
        isGreeted = true
        return frame
      },
      onFailure: () => replace(made),
    })
    made
      .on(WebSocketShardEvents.Dispatch, (frame) => {
        const { t, s, d } = frame as { readonly t: string; readonly s: number; readonly d: unknown }
        handle(t, s, d, made)
      })
      .on(WebSocketShardEvents.Ready, () => {
        ready(isFresh)
        isFresh = false
      })
      .on(WebSocketShardEvents.Resumed, () => ready(false))
      .on(WebSocketShardEvents.Closed, (code) => {
        if (made !== shard || closing.signal.aborted) return
        const problem = fatal[code]
        if (problem !== undefined) {
          closing.abort()
          return onState('broken', { problem, fresh: false })
        }
        if (forgotten.includes(code)) isInvalid = true
        onState('connecting', { problem: `The gateway closed the connection (${code}).`, fresh: false })
      })
      .on(WebSocketShardEvents.SocketError, () => undefined)
      .on(WebSocketShardEvents.Error, () => undefined)
    void made.connect().catch(() => undefined)
    return made
  }
  shard = begin()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      // Not 1000: the next server should be able to resume the session.
      await Promise.race([shard.destroy({ code: 4200 }), waitAfter(1)])
      await handling
      if (reached !== null) remember(reached)
    },
  }
}

function sessionInfo(session: GatewaySession | null, isGateway: (url: string) => boolean): SessionInfo | null {
  if (session === null || !isGateway(session.url)) return null
  return { sessionId: session.id, sequence: session.sequence, resumeURL: session.url, shardId: 0, shardCount: 1 }
}
