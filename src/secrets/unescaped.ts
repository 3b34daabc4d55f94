import { escapeAt, incomplete, noEscape } from './escape.ts'

const [lineFeed, carriageReturn, blank, tab, percent] = [0x0a, 0x0d, 0x20, 0x09, 0x25]
const special = new Uint8Array(256)
const specials = Buffer.from('%\\&\r\n')
for (const each of specials) special[each] = 1

/**
 * Reads bytes with their escapes undone: percent-encoding (RFC 3986), those of JSON (RFC 8259) and the character references of HTML, once. Line
 * breaks with the blanks behind them, in which base64 is broken (RFC 2045), are left out, and so is an escape that the bytes end in.
 */
export class Unescaped {
  #original: Buffer = Buffer.alloc(0)
  /** Used again, because memory of this size is slow to come by. */
  #memory: Buffer = Buffer.alloc(0)
  #length = 0
  #jumps: Jumps | null = null

  /** Returns false, which costs little, for bytes that are the same without escapes and line breaks: then nothing was read. */
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

  /** What was read; good until the next reading. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }

  /** Where the original of the byte at `offset` begins. */
  startOf(offset: number): number {
    return this.#whereFrom().startOf(offset)
  }

  /** Where the original of the byte before `offset` ends. */
  endOf(offset: number): number {
    return this.#whereFrom().endOf(offset)
  }

  /** Overwrites what was read. */
  forget(): void {
    this.#memory.fill(0)
    this.#original = Buffer.alloc(0)
    this.#length = 0
  }

  /** Rarely asked for, so it is not written down at once. */
  #whereFrom(): Jumps {
    if (this.#jumps === null) {
      this.#jumps = new Jumps()
      undoEscapes(this.#original, this.#memory, this.#jumps)
    }
    return this.#jumps
  }
}

/** Returns how many bytes it wrote. */
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

/** Where the original does not go on one byte behind the byte before. */
class Jumps {
  readonly #offsets: number[] = []
  readonly #ends: number[] = []
  readonly #starts: number[] = []

  /** At this offset: what is before it has ended at `end` in the original, which goes on at `start`. */
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
