/** Shorter words are not searched for: they would be found in anything. */
export const shortestNeedle = 6

interface Gram {
  readonly needle: Buffer
  readonly offset: number
}

/**
 * Finds any of many words in bytes, at a cost that hardly depends on how many there are: of a text only every n-th group of four bytes is
 * looked up, n so small that each occurrence of the shortest word holds such a group (after Wu and Manber, 1994).
 */
export class Finder {
  readonly longest: number
  readonly #needles: readonly Buffer[]
  readonly #stride: number
  readonly #filter = new Uint8Array(65_536)
  /** 1 for each byte that a word begins with. */
  readonly #begins = new Uint8Array(256)
  readonly #grams = new Map<number, Gram[]>()

  constructor(words: readonly Uint8Array[]) {
    const needles = words.filter((each) => each.length >= shortestNeedle).map((each) => Buffer.from(each))
    this.#needles = needles
    this.longest = Math.max(0, ...needles.map((each) => each.length))
    this.#stride = Math.min(1_024, ...needles.map((each) => each.length)) - 3
    for (const needle of needles) {
      this.#begins[needle[0] as number] = 1
      for (let offset = 0; offset < this.#stride && offset + 4 <= needle.length; offset++) {
        const gram = needle.readUInt32LE(offset)
        this.#filter[hashOf(gram)] = 1
        const known = this.#grams.get(gram)
        if (known === undefined) this.#grams.set(gram, [{ needle, offset }])
        else known.push({ needle, offset })
      }
    }
  }

  get empty(): boolean {
    return this.#needles.length === 0
  }

  /** Every occurrence, as [start, end). They may overlap. */
  ranges(data: Buffer): readonly (readonly [number, number])[] {
    const found: [number, number][] = []
    if (this.empty) return found
    const stride = this.#stride
    const filter = this.#filter
    for (let at = 0; at + 4 <= data.length; at += stride) {
      const gram =
        ((data[at] as number) | ((data[at + 1] as number) << 8) | ((data[at + 2] as number) << 16) | ((data[at + 3] as number) << 24)) >>> 0
      if (filter[hashOf(gram)] === 0) continue
      for (const { needle, offset } of this.#grams.get(gram) ?? []) {
        const start = at - offset
        const end = start + needle.length
        if (start >= 0 && end <= data.length && data.compare(needle, 0, needle.length, start, end) === 0) found.push([start, end])
      }
    }
    return found
  }

  /** How many of the last bytes may be the beginning of a word that goes on behind them; fewer than `least` do not count. */
  partial(data: Buffer, least: number): number {
    for (let start = Math.max(0, data.length - this.longest + 1); start <= data.length - least; start++) {
      if (this.#begins[data[start] as number] === 0) continue
      const rest = data.length - start
      for (const needle of this.#needles)
        if (needle.length > rest && needle[0] === data[start] && data.compare(needle, 0, rest, start, data.length) === 0) return rest
    }
    return 0
  }

  /** Overwrites the words that it holds; it finds nothing any more. */
  forget(): void {
    for (const each of this.#needles) each.fill(0)
    this.#grams.clear()
    this.#filter.fill(0)
    this.#begins.fill(0)
  }
}

function hashOf(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> 16
}
