import { CannotTravel } from './tree-manifest.ts'

/** A content on its way: its SHA-256 as hexadecimal digits, its size in bytes, and its bytes, which are read once. */
export interface Blob {
  readonly hash: string
  readonly size: number
  readonly bytes: AsyncIterable<Buffer>
}

const hashBytes = 32
const headBytes = hashBytes + 8

/**
 * Joins contents to one stream: for each, its hash (32 bytes), its size (8 bytes, most significant first), and its bytes. Rejects if a content
 * has another size than it says, because its reader could not find the next one.
 */
export async function* packOf(blobs: AsyncIterable<Blob> | Iterable<Blob>): AsyncGenerator<Buffer> {
  for await (const { hash, size, bytes } of blobs) {
    const head = Buffer.alloc(headBytes)
    head.write(hash, 'hex')
    head.writeBigUInt64BE(BigInt(size), hashBytes)
    yield head
    let left = size
    for await (const part of bytes) {
      left -= part.length
      if (left < 0) break
      yield part
    }
    if (left !== 0) throw new CannotTravel('has a file that changes while it is read')
  }
}

/**
 * Splits a stream of `packOf` into its contents, one after the other. The bytes of each must be read to their end before the next one is
 * asked for. Nothing in it is checked but its form: the bytes may be others than the hash says.
 * @throws CannotTravel if it ends within a content
 */
export async function* blobsIn(stream: AsyncIterable<Buffer>): AsyncGenerator<Blob> {
  const source = new ByteSource(stream)
  for (;;) {
    const head = await source.exactly(headBytes)
    if (head === null) return
    const size = head.readBigUInt64BE(hashBytes)
    if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw cut()
    yield { hash: head.toString('hex', 0, hashBytes), size: Number(size), bytes: source.upTo(Number(size)) }
  }
}

function cut(): CannotTravel {
  return new CannotTravel('has a content that ends too early')
}

/** Reads a stream by lengths. */
class ByteSource {
  readonly #parts: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#parts = stream[Symbol.asyncIterator]()
  }

  /** Returns false at the end of the stream. */
  async #fill(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#parts.next()
      if (next.done === true) return false
      this.#held = next.value
    }
    return true
  }

  #take(most: number): Buffer {
    const part = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(part.length)
    return part
  }

  /** Returns this many bytes; null if the stream has ended before the first of them. */
  async exactly(count: number): Promise<Buffer | null> {
    const parts: Buffer[] = []
    let left = count
    while (left > 0) {
      if (!(await this.#fill())) {
        if (left === count) return null
        throw cut()
      }
      const part = this.#take(left)
      left -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  async *upTo(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (!(await this.#fill())) throw cut()
      const part = this.#take(left)
      left -= part.length
      yield part
    }
  }
}
