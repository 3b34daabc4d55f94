import { escapeAt, incomplete, noEscape } from './escape.ts'

const [lineFeed, carriageReturn, blank, tab, percent] = [0x0a, 0x0d, 0x20, 0x09, 0x25]
const special = new Uint8Array(256)
const specials = Buffer.from('%\\&\r\n')
for (const each of specials) special[each] = 1

/**
 * Bytes after one decoding of their escapes: percent-encoding (RFC 3986), escapes of JSON (RFC 8259) and character references of HTML. Line
 * breaks with the spaces after them, as in wrapped base64 (RFC 2045), are left out, and so is an incomplete escape at the end.
 */
export class Unescaped {
  #original: Buffer = Buffer.alloc(0)
  /** The memory for the decoded bytes. It is reused, because allocating memory of this size is slow. */
  #memory: Buffer = Buffer.alloc(0)
  #length = 0
  #jumps: Jumps | null = null

  /** Decodes bytes. Returns false, at little cost and without decoding, if they contain no escapes and no line breaks. */
  read(original: Buffer): boolean {
    if (!specials.some((each) => original.includes(each))) return false
    if (this.#memory.length < original.length) {
      this.forget()
      this.#memory = Buffer.allocUnsafeSlow(original.length)
    }
    this.#original = original
    this.#jumps = null
    this.#length = undoEscapes(original, this.#memory, null)
    return true
  }

  /** The decoded bytes, valid until the next call of `read`. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }

  /** Returns the start of the original of the byte at `offset`. */
  startOf(offset: number): number {
    return this.#whereFrom().startOf(offset)
  }

  /** Returns the end of the original of the byte before `offset`. */
  endOf(offset: number): number {
    return this.#whereFrom().endOf(offset)
  }

  /** Overwrites the decoded bytes. */
  forget(): void {
    this.#memory.fill(0)
    this.#original = Buffer.alloc(0)
    this.#length = 0
  }

  /** Returns the positions, which are computed only on request, because they are rarely needed. */
  #whereFrom(): Jumps {
    if (this.#jumps === null) {
      this.#jumps = new Jumps()
      undoEscapes(this.#original, this.#memory, this.#jumps)
    }
    return this.#jumps
  }
}

/** Decodes escapes. Returns the number of bytes written. */
function undoEscapes(data: Buffer, bytes: Buffer, jumps: Jumps | null): number {
  let length = 0
  for (let at = 0; at < data.length; ) {
    const byte = data[at] as number
    if (special[byte] === 0) {
      bytes[length++] = byte
      at++
      continue
    }
    const read = byte === lineFeed || byte === carriageReturn ? byte * 16 + 1 : escapeAt(data, at)
    if (read === noEscape) {
      bytes[length++] = byte
      at++
      continue
    }
    if (read === incomplete) {
      jumps?.add(length, at, at)
      break
    }
    const code = read >> 4
    let next = at + (read & 15)
    if (code === lineFeed || code === carriageReturn) {
      while (data[next] === blank || data[next] === tab) next++
      jumps?.add(length, at, next)
    } else {
      if (code < 0x80 || byte === percent) bytes[length++] = code
      else length += bytes.write(String.fromCodePoint(code), length)
      jumps?.add(length, next, next)
    }
    at = next
  }
  return length
}

/** Positions at which the original does not continue exactly one byte later. */
class Jumps {
  readonly #offsets: number[] = []
  readonly #ends: number[] = []
  readonly #starts: number[] = []

  /** Adds an offset before which the original ended at `end`, and at which it continues at `start`. */
  add(offset: number, end: number, start: number): void {
    const last = this.#offsets.length - 1
    if (this.#offsets[last] === offset) this.#starts[last] = start
    else {
      this.#offsets.push(offset)
      this.#ends.push(end)
      this.#starts.push(start)
    }
  }

  startOf(offset: number): number {
    const last = this.#lastAt(offset)
    return last < 0 ? offset : (this.#starts[last] as number) + offset - (this.#offsets[last] as number)
  }

  endOf(offset: number): number {
    const last = this.#lastAt(offset)
    return this.#offsets[last] === offset ? (this.#ends[last] as number) : this.startOf(offset)
  }

  #lastAt(offset: number): number {
    let [low, high] = [0, this.#offsets.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#offsets[middle] as number) <= offset) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
