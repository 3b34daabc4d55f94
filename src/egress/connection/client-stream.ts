import { Duplex } from 'node:stream'

/** A connection from a cell: a TCP socket of one of its listeners, or a stream that came another way. */
export interface ClientStream extends Duplex {
  /** Number of bytes that came from the cell. */
  readonly bytesRead: number
  /** Number of bytes that went to the cell, including those that wait to be sent. */
  readonly bytesWritten: number
  /** Ends the connection after its pending writes. */
  destroySoon(): void
}

/** Wraps a stream that counts no bytes, so that the gateway serves it as a connection. A reset destroys the stream with an error. */
export function clientStream(stream: Duplex): ClientStream {
  return new CountedStream(stream)
}

class CountedStream extends Duplex implements ClientStream {
  bytesRead = 0
  bytesWritten = 0
  readonly #stream: Duplex

  constructor(stream: Duplex) {
    super({ allowHalfOpen: true })
    this.#stream = stream
    stream.pause()
    stream.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length
      if (!this.push(chunk)) stream.pause()
    })
    stream.once('end', () => this.push(null))
    stream.on('error', (error) => this.destroy(error))
    stream.once('close', () => this.destroy())
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy()).end()
  }

  override _read(): void {
    this.#stream.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length
    this.#stream.write(chunk, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#stream.end(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stream.destroy(error ?? undefined)
    done(error)
  }
}
