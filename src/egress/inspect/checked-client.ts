import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type Destination, HttpStream, type Refusal } from '../http-stream.ts'
import { guarded } from './guarded.ts'

/**
 * The client's side of an HTTP/1.1 connection as Node's parser gets to see it: only bytes that the strict reader passed, so that what is
 * read twice is read alike. Behind a request for a websocket it holds everything until `settleUpgrade`.
 */
export class CheckedClient extends Duplex {
  readonly #socket: Socket
  readonly #cut: () => void
  readonly #stream: HttpStream
  readonly #refused: (refusal: Refusal) => void
  #held: Buffer | null = null
  #opaque = false
  #ended = false

  /**
   * @param cut ends the connection so that what was sent is not taken for whole.
   * @param refused told once; whoever made this answers the client and ends it.
   */
  constructor(socket: Socket, destination: Destination, cut: () => void, refused: (refusal: Refusal) => void) {
    super({ allowHalfOpen: true })
    this.#socket = socket
    this.#cut = cut
    this.#stream = new HttpStream(destination, { upgradesLater: true })
    this.#refused = refused
    socket.pause()
    // What is pushed may be parsed and served before `push` returns.
    const broken = () => this.destroy()
    socket.on(
      'data',
      guarded((chunk: Buffer) => this.#take(chunk), broken),
    )
    socket.once(
      'end',
      guarded(() => {
        this.#ended = true
        if (this.#held === null) this.push(null)
      }, broken),
    )
    socket.once('close', () => this.destroy())
    socket.on('error', () => {})
    // Node takes its own listener away where a connection is upgraded.
    this.on('error', () => {})
  }

  /** Bytes that stood before the socket. */
  begin(bytes: Buffer): void {
    if (bytes.length > 0) this.#take(bytes)
  }

  /** Says what became of a request for a websocket: with `switched` all else passes unread, otherwise the checking goes on. */
  settleUpgrade(switched: boolean): void {
    const held = this.#held
    if (held === null) return
    this.#held = null
    this.#opaque = switched
    if (held.length > 0) this.#take(held)
    if (this.#ended) this.push(null)
    else this.#socket.resume()
  }

  #take(chunk: Buffer): void {
    if (this.destroyed) return
    if (this.#held !== null) {
      this.#held = Buffer.concat([this.#held, chunk])
      this.#socket.pause()
    } else if (this.#opaque) {
      if (!this.push(chunk)) this.#socket.pause()
    } else this.#check(chunk)
  }

  #check(chunk: Buffer): void {
    const fed = this.#stream.feed(chunk)
    let room = true
    for (const each of fed.forward) room = this.push(each)
    if (fed.upgrade) {
      this.#held = fed.rest ?? Buffer.alloc(0)
      room = false
    }
    if (!room) this.#socket.pause()
    if (fed.refusal !== null) this.#refused(fed.refusal)
  }

  override _read(): void {
    if (this.#held === null) this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: (error?: Error | null) => void): void {
    this.#socket.cork()
    for (const [index, { chunk, encoding }] of chunks.entries()) {
      if (index === chunks.length - 1) this.#socket.write(chunk, encoding, done)
      else this.#socket.write(chunk, encoding)
    }
    this.#socket.uncork()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.writableFinished) this.#socket.destroySoon()
    else this.#cut()
    done(error)
  }
}
