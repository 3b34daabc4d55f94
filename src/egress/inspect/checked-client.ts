import { Duplex } from 'node:stream'
import type { ClientStream } from '../connection/client-stream.ts'
import { type Held, noRoom } from '../connection/held-bytes.ts'
import { type Destination, HttpStream, type Refusal } from '../http/http-stream.ts'
import { guarded } from './guarded.ts'

/**
 * Maximum number of requests of one connection that wait for their answers: the next is judged while the first is answered. Further ones
 * are not read from the client yet (RFC 9112, section 9.3.2, requires no more).
 */
const maxUnanswered = 2

/**
 * The client's side of an HTTP/1.1 connection as Node's parser sees it. It contains only bytes that the strict reader passed, so that both
 * parsers read the same. After a websocket request it holds everything until `settleUpgrade`, and after a second unanswered request
 * until `answered`. Meanwhile it reads nothing more from its socket.
 */
export class CheckedClient extends Duplex {
  readonly #socket: ClientStream
  readonly #cut: () => void
  readonly #stream: HttpStream
  readonly #refused: (refusal: Refusal) => void
  readonly #room: Held
  #held: Buffer | null = null
  #waitsFor: 'upgrade' | 'answer' = 'upgrade'
  #answered = 0
  #opaque = false
  #isRefused = false
  #ended = false

  /**
   * @param cut ends the connection in a way that the request does not appear to be complete.
   * @param room counts the bytes that are held here.
   * @param refused called once. The caller sends the answer and ends the connection.
   */
  constructor(
    socket: ClientStream,
    { destination, room }: { readonly destination: Destination; readonly room: Held },
    cut: () => void,
    refused: (refusal: Refusal) => void,
  ) {
    super({ allowHalfOpen: true })
    this.#room = room
    this.#socket = socket
    this.#cut = cut
    this.#stream = new HttpStream(destination, {
      upgradesLater: true,
      mayBegin: () => this.#stream.requests - this.#answered < maxUnanswered,
    })
    this.#refused = (refusal) => {
      if (this.#isRefused) return
      this.#isRefused = true
      refused(refusal)
    }
    socket.pause()
    // Pushed bytes may be parsed and served before `push` returns.
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
    // Node removes its own listener when a connection is upgraded.
    this.on('error', () => {})
  }

  /** Takes bytes that were read before the socket was handed over. */
  begin(bytes: Buffer): void {
    if (bytes.length > 0) this.#take(bytes)
  }

  /** Sets the result of a websocket request. With `switched`, all further bytes pass unread; otherwise checking continues. */
  settleUpgrade(switched: boolean): void {
    if (this.#held === null || this.#waitsFor !== 'upgrade') return
    this.#opaque = switched
    this.#goOn()
  }

  /** Records that a request has been answered completely, so that another one may start. */
  answered(): void {
    this.#answered++
    if (this.#held !== null && this.#waitsFor === 'answer') this.#goOn()
  }

  /** Ends the connection for a reason other than its bytes. */
  refuse(refusal: Refusal): void {
    this.#refused(refusal)
  }

  #goOn(): void {
    const held = this.#held ?? Buffer.alloc(0)
    this.#held = null
    this.#socket.resume()
    this.#take(held)
    if (this.#held === null && this.#ended) this.push(null)
  }

  #take(chunk: Buffer): void {
    if (this.destroyed) return
    if (this.#held !== null) {
      this.#held = Buffer.concat([this.#held, chunk])
      this.#socket.pause()
      this.#account()
    } else if (this.#opaque) {
      if (!this.push(chunk)) this.#socket.pause()
    } else this.#check(chunk)
  }

  #check(chunk: Buffer): void {
    const fed = this.#stream.feed(chunk)
    let room = true
    for (const each of fed.forward) room = this.push(each)
    if (fed.rest !== null) {
      this.#held = fed.rest
      this.#waitsFor = fed.upgrade ? 'upgrade' : 'answer'
      room = false
    }
    if (!room) this.#socket.pause()
    if (fed.refusal !== null) this.#refused(fed.refusal)
    else this.#account()
  }

  #account(): void {
    if (!this.#room.set(this.#stream.heldBytes + (this.#held?.length ?? 0))) this.#refused(noRoom)
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
    this.#room.release()
    this.#held = null
    if (this.writableFinished) this.#socket.destroySoon()
    else this.#cut()
    done(error)
  }
}
