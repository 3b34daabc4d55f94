import { type WebSocketShard, WebSocketShardStatus } from '@discordjs/ws'
import { type Frame, frameOf } from './gateway-frames.ts'

/** Methods that the library calls without awaiting them: a rejection would end the server. */
const unattended = ['onMessage', 'onClose', 'internalConnect', 'heartbeat', 'destroy'] as const
type Methods = Record<(typeof unattended)[number] | 'unpackMessage', (...given: unknown[]) => Promise<unknown>>

export interface Guards {
  /** Receives each frame before the library does; null drops the frame. */
  readonly onFrame: (frame: Frame) => Frame | null
  /** Called when the connection is in a state that it cannot leave. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Makes a connection of the library parse its frames strictly, connect once at a time, and report its failures. These methods are private
 * in the library, so its version is pinned; `test/e2e/fleet/discord-trouble.deep.test.ts` shows that the library still calls them.
 */
export function guardShard(shard: WebSocketShard, { onFrame, onFailure }: Guards): void {
  const own = shard as unknown as Methods
  const caught = (name: keyof Methods): Methods[keyof Methods] => {
    const method = own[name].bind(shard)
    return (...given) => method(...given).catch(onFailure)
  }
  const guarded = Object.fromEntries(unattended.map((name) => [name, caught(name)])) as Methods
  const connect = guarded.internalConnect
  let connecting = false
  Object.assign(shard, guarded, {
    async internalConnect() {
      // Two reasons to reconnect can occur at the same time.
      if (connecting || shard.status !== WebSocketShardStatus.Idle) return
      connecting = true
      await connect().finally(() => {
        connecting = false
      })
    },
    async unpackMessage(data: unknown): Promise<Frame | null> {
      const frame = frameOf(data)
      return frame === null ? null : onFrame(frame)
    },
  })
}
