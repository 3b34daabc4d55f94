import type { Socket } from 'node:net'
import { Transform, type TransformCallback } from 'node:stream'
import { type Held, noRoom } from '../connection/held-bytes.ts'
import { type Destination, HttpStream, type Refusal } from './http-stream.ts'

/** A refusal, as an error that ends a stream. */
export class RefusedError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(`${refusal.reason}: ${refusal.detail}`)
    this.name = 'RefusedError'
    this.refusal = refusal
  }
}

const switching = Buffer.from('HTTP/1.1 101')

/**
 * Checks the requests of a plaintext HTTP connection between client and upstream, and forwards only those that pass. Fails with
 * `RefusedError`. After a websocket request it holds the client's bytes until the upstream answers. After a 101, all further bytes
 * pass unread. After any other answer the client continues with HTTP, and every request is checked.
 */
export class HttpGuard extends Transform {
  readonly #stream: HttpStream
  readonly #upstream: Socket
  readonly #watch: ((piece: Buffer) => void) | null
  readonly #held: Held | null
  #opaque = false

  /** @param options `watch` receives every byte of the client. `held` counts the bytes of an incomplete head; its creator releases it. */
  constructor(
    destination: Destination,
    upstream: Socket,
    { watch = null, held = null }: { readonly watch?: ((piece: Buffer) => void) | null; readonly held?: Held | null } = {},
  ) {
    super()
    this.#watch = watch
    this.#held = held
    this.#stream = new HttpStream(destination)
    this.#upstream = upstream
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#watch?.(chunk)
    if (this.#opaque) {
      done(null, chunk)
      return
    }
    const fed = this.#stream.feed(chunk)
    for (const each of fed.forward) this.push(each)
    const rest = fed.rest ?? Buffer.alloc(0)
    const refusal = this.#held?.set(this.#stream.heldBytes + rest.length) === false ? noRoom : fed.refusal
    if (refusal !== null || !fed.upgrade) {
      done(refusal === null ? null : new RefusedError(refusal))
      return
    }
    this.#whenAnswered((switched) => {
      this.#opaque = switched
      if (rest.length > 0) this._transform(rest, 'utf8', done)
      else done()
    })
  }

  #whenAnswered(tell: (switched: boolean) => void): void {
    let start: Buffer = Buffer.alloc(0)
    const settle = (switched: boolean) => {
      this.#upstream.off('data', onData)
      this.#upstream.off('end', onEnd)
      tell(switched)
    }
    const onData = (chunk: Buffer) => {
      start = Buffer.concat([start, chunk.subarray(0, switching.length)])
      if (start.length < switching.length) return
      settle(start.subarray(0, switching.length).equals(switching))
    }
    const onEnd = () => settle(false)
    this.#upstream.on('data', onData)
    this.#upstream.on('end', onEnd)
  }
}
