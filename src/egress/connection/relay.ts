import type { Transform } from 'node:stream'
import type { ClientStream } from './client-stream.ts'
import { reset } from './reset.ts'
import { deliversOnlyTo } from './roomy-read.ts'

export interface RelayOptions {
  /** Bytes that the client has already sent, which are forwarded first. */
  readonly first?: Buffer
  /** Checks the bytes from the client to the upstream. If it fails, both sides are reset. */
  readonly through?: Transform
  /** Milliseconds without data, after one side has ended, until the connection is considered dead. */
  readonly halfOpenMs?: number
  readonly signal?: AbortSignal
}

export interface RelayEnd {
  /** `closed`: both sides ended in order. Otherwise both sides were reset. */
  readonly how: 'closed' | 'reset' | 'idle' | 'aborted' | 'refused'
  /** Bytes from client to upstream. */
  readonly bytesOut: number
  readonly bytesIn: number
  /** The error of `through`, if `how` is `refused`. */
  readonly error?: unknown
}

/**
 * Connects two open sockets in both directions until both have ended. Uses pipe() for back-pressure, keeps half-closed connections (both
 * sockets need `allowHalfOpen`), and passes a reset on one side to the other. Bytes are counted by the sockets, not per chunk. Never
 * rejects.
 */
export function relay(client: ClientStream, upstream: ClientStream, options: RelayOptions = {}): Promise<RelayEnd> {
  const { first, through, halfOpenMs = 600_000, signal } = options
  const { promise, resolve } = Promise.withResolvers<RelayEnd>()
  const sockets = [client, upstream]
  let how: RelayEnd['how'] = 'closed'
  let failure: unknown
  let watch: NodeJS.Timeout | undefined
  let open = sockets.length

  const cut = (why: RelayEnd['how'], error?: unknown) => {
    if (how !== 'closed' || open === 0) return
    how = why
    failure = error
    for (const socket of sockets) reset(socket)
    through?.destroy()
  }
  const onAbort = () => cut('aborted')
  const onEnd = () => {
    watch ??= watchCorpse(sockets, halfOpenMs, () => cut('idle'))
  }
  const onClose = () => {
    open--
    if (open > 0) {
      // If one side closes before both directions have ended, the other side is closed too.
      if (!sockets.every((socket) => socket.readableEnded)) cut('reset')
      return
    }
    clearInterval(watch)
    signal?.removeEventListener('abort', onAbort)
    resolve({ how, bytesOut: upstream.bytesWritten, bytesIn: upstream.bytesRead, ...(failure === undefined ? {} : { error: failure }) })
  }

  for (const socket of sockets) {
    socket.on('error', () => cut('reset'))
    socket.once('end', onEnd)
    if (socket.closed) queueMicrotask(onClose)
    else socket.once('close', onClose)
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  through?.on('error', (error) => cut('refused', error))
  through?.pipe(upstream)
  const sink = through ?? upstream
  if (first !== undefined && first.length > 0) sink.write(first)
  client.pipe(sink)
  deliversOnlyTo(upstream, client)
  upstream.pipe(client)
  if (signal?.aborted) onAbort()
  else if (sockets.some((socket) => socket.destroyed)) cut('reset')
  return promise
}

function watchCorpse(sockets: readonly ClientStream[], ms: number, dead: () => void): NodeJS.Timeout {
  const moved = () => sockets.reduce((sum, socket) => sum + socket.bytesRead + socket.bytesWritten - socket.writableLength, 0)
  let last = moved()
  return setInterval(() => {
    const now = moved()
    if (now === last) dead()
    last = now
  }, ms).unref()
}
