/** The number of bytes kept from the start and from the end of a tool's output. */
const [headBytes, tailBytes] = [16 * 1024, 16 * 1024]

/** Keeps the start and the end of a stream of bytes, however long it is. */
export class HeadAndTail {
  readonly #head: Buffer[] = []
  #headSize = 0
  #tail: Buffer[] = []
  #tailSize = 0
  #total = 0

  add(chunk: Buffer): void {
    this.#total += chunk.length
    const free = headBytes - this.#headSize
    if (free > 0) {
      this.#head.push(Buffer.from(chunk.subarray(0, free)))
      this.#headSize += Math.min(free, chunk.length)
    }
    const rest = chunk.subarray(Math.max(0, free))
    if (rest.length === 0) return
    this.#tail.push(Buffer.from(rest.subarray(-tailBytes)))
    this.#tailSize += Math.min(rest.length, tailBytes)
    if (this.#tailSize > 4 * tailBytes) this.#gather()
  }

  /** Returns the text. Invalid UTF-8 is replaced, and NUL characters are shown as ␀. */
  text(): string {
    this.#gather()
    const left = this.#total - this.#headSize - this.#tailSize
    const parts = [Buffer.concat(this.#head), ...this.#tail]
    if (left <= 0) return printable(Buffer.concat(parts))
    return `${printable(parts[0] ?? Buffer.alloc(0))}\n[… ${left} bytes left out …]\n${printable(Buffer.concat(this.#tail))}`
  }

  #gather(): void {
    const all = Buffer.concat(this.#tail).subarray(-tailBytes)
    this.#tail = [all]
    this.#tailSize = all.length
  }
}

function printable(bytes: Buffer): string {
  return new TextDecoder().decode(bytes).replaceAll('\0', '␀')
}

/** Returns the start and the end of a text. */
export function headAndTail(text: string): string {
  const kept = new HeadAndTail()
  kept.add(Buffer.from(text))
  return kept.text()
}
