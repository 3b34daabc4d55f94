/** The minimum length of a word in bytes. Shorter words are not searched for, because they would be found in any text. */
export const shortestNeedle = 6
/** The number of bytes of each word that determine the step size. With many words it is smaller, so that their table stays small. */
const [fewestDeciding, mostDeciding, mostGrams] = [16, 128, 65_536]

/** An occurrence: the index of the word, and its range as [start, end). */
export interface Hit {
  readonly word: number
  readonly start: number
  readonly end: number
}

interface Needle {
  readonly word: number
  readonly bytes: Buffer
}

interface Gram {
  readonly needle: Needle
  readonly offset: number
}

/**
 * Finds any of many words in bytes, at a cost that hardly depends on the number of words: only every n-th group of four bytes of a text is
 * looked up. n is so small that each occurrence of the shortest word contains such a group (after Wu and Manber, 1994).
 */
export class Finder {
  readonly longest: number
  readonly #needles: readonly Needle[]
  readonly #stride: number
  readonly #filter: Uint8Array
  /** For each byte, 1 if a word starts with it. */
  readonly #begins = new Uint8Array(256)
  readonly #grams = new Map<number, Gram[]>()

  constructor(words: readonly Uint8Array[]) {
    const needles = words.flatMap((each, word) => (each.length < shortestNeedle ? [] : [{ word, bytes: Buffer.from(each) }]))
    this.#needles = needles
    this.#filter = new Uint8Array(needles.length === 0 ? 0 : 65_536)
    this.longest = Math.max(0, ...needles.map(({ bytes }) => bytes.length))
    const deciding = Math.max(fewestDeciding, Math.min(mostDeciding, Math.floor(mostGrams / needles.length)))
    this.#stride = Math.min(deciding, ...needles.map(({ bytes }) => bytes.length)) - 3
    for (const needle of needles) {
      const { bytes } = needle
      this.#begins[bytes[0] as number] = 1
      for (let offset = 0; offset < this.#stride && offset + 4 <= bytes.length; offset++) {
        const gram = bytes.readUInt32LE(offset)
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

  /** Returns every occurrence that ends after `from`. They may overlap. */
  hits(data: Buffer, from = 0): readonly Hit[] {
    const found: Hit[] = []
    if (this.empty) return found
    const stride = this.#stride
    const filter = this.#filter
    const first = Math.max(0, from - this.longest + 1)
    for (let at = first; at + 4 <= data.length; at += stride) {
      const gram =
        ((data[at] as number) | ((data[at + 1] as number) << 8) | ((data[at + 2] as number) << 16) | ((data[at + 3] as number) << 24)) >>> 0
      if (filter[hashOf(gram)] === 0) continue
      for (const { needle, offset } of this.#grams.get(gram) ?? []) {
        const start = at - offset
        const end = start + needle.bytes.length
        if (start < 0 || end <= from || end > data.length) continue
        if (data.compare(needle.bytes, 0, needle.bytes.length, start, end) === 0) found.push({ word: needle.word, start, end })
      }
    }
    return found
  }

  /** Returns every occurrence, as [start, end). */
  ranges(data: Buffer): readonly (readonly [number, number])[] {
    return this.hits(data).map(({ start, end }) => [start, end] as const)
  }

  /** Returns the number of last bytes that may be the start of a word that continues after them. Fewer than `least` do not count. */
  partial(data: Buffer, least: number): number {
    for (let start = Math.max(0, data.length - this.longest + 1); start <= data.length - least; start++) {
      if (this.#begins[data[start] as number] === 0) continue
      const rest = data.length - start
      for (const { bytes } of this.#needles)
        if (bytes.length > rest && bytes[0] === data[start] && data.compare(bytes, 0, rest, start, data.length) === 0) return rest
    }
    return 0
  }

  /** Overwrites the words. Nothing is found afterwards. */
  forget(): void {
    for (const { bytes } of this.#needles) bytes.fill(0)
    this.#grams.clear()
    this.#filter.fill(0)
    this.#begins.fill(0)
  }
}

function hashOf(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> 16
}
