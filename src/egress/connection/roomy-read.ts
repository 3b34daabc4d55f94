import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import type { Duplex } from 'node:stream'

const smallest = 16 * 1_024
/** The buffer size that any connection may grow to. */
const common = 64 * 1_024
const largest = 512 * 1_024
/** Maximum number of connections of this process that may exceed the common buffer size at the same time. */
const maxRoomy = 64
let roomy = 0

const readers = new WeakMap<Duplex, ReusedBuffer>()

/**
 * Opens a TCP connection that is an ordinary stream but is read with few, large reads. Its buffer grows while reads fill it, from
 * 16 to 64 KiB, and to 512 KiB for at most 64 connections at once. No memory is reused before `deliversOnlyTo` has been called.
 */
export function connectRoomy(options: TcpNetConnectOpts): Socket {
  const reader: ReusedBuffer = new ReusedBuffer(() => socket)
  const socket: Socket = connect({
    ...options,
    onread: { buffer: () => reader.next(), callback: (length, bytes) => reader.take(bytes.subarray(0, length)) },
  })
  readers.set(socket, reader)
  return socket.once('close', () => reader.close())
}

/**
 * Declares that from now on every chunk of `source` is written to `sink` as soon as it is read, and kept nowhere else. Other listeners
 * must copy the chunks. The memory of a chunk is reused once the kernel has taken it. Has no effect on sockets opened in another way.
 */
export function deliversOnlyTo(source: Duplex, sink: Duplex): void {
  readers.get(source)?.deliverTo(sink)
}

class ReusedBuffer {
  readonly #socket: () => Socket
  #buffer: Uint8Array = Buffer.allocUnsafeSlow(smallest)
  #sink: Duplex | null = null
  /** Number of bytes that were read into the buffer and passed on without a copy. */
  #lent = 0
  #roomy = false

  constructor(socket: () => Socket) {
    this.#socket = socket
  }

  deliverTo(sink: Duplex): void {
    this.#sink = sink
  }

  /** Returns the memory for the next read. */
  next(): Uint8Array {
    if (this.#lent === this.#buffer.length && this.#mayGrow()) this.#buffer = Buffer.allocUnsafeSlow(this.#buffer.length * 2)
    else if (this.#lent > 0 && this.#inFlight()) this.#buffer = Buffer.allocUnsafeSlow(this.#buffer.length)
    this.#lent = 0
    return this.#buffer
  }

  /** Passes on the bytes that were read; false stops reading. A small chunk that must wait is copied, so that it pins no large buffer. */
  take(bytes: Uint8Array): boolean {
    if (bytes.length < this.#buffer.length / 4 && this.#inFlight()) return this.#socket().push(Buffer.from(bytes))
    this.#lent = bytes.length
    return this.#socket().push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  }

  close(): void {
    if (this.#roomy) roomy--
    this.#roomy = false
  }

  #inFlight(): boolean {
    return this.#sink === null || this.#socket().readableLength + this.#sink.writableLength > 0
  }

  #mayGrow(): boolean {
    const { length } = this.#buffer
    if (length < common || this.#roomy) return length < largest
    if (roomy >= maxRoomy) return false
    roomy++
    this.#roomy = true
    return true
  }
}
