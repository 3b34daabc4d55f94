import { randomBytes } from 'node:crypto'

/** Returns a word of 128 random bits. It contains only letters and digits, so that quoting does not change it. */
export function secretWord(): string {
  return `canary${randomBytes(16).toString('hex')}`
}

/**
 * Returns the forms of a word to search for: unchanged in either case, reversed, in hexadecimal, in base64 at any offset,
 * and as UTF-16. Compressed or encrypted text is not found.
 */
export function writtenForms(word: string): readonly string[] {
  const bytes = Buffer.from(word)
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // The characters at either end contain bits of neighbouring bytes.
    return whole.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6))
  })
  const plain = [word, [...word].reverse().join(''), bytes.toString('hex')].map((each) => each.toLowerCase())
  return [...plain, [...word].join('\0'), ...base64]
}

/** Searches bytes that arrive in chunks for the secret texts of all canaries. */
export class WordWatch {
  readonly #forms: readonly { readonly id: string; readonly plain: readonly Buffer[]; readonly exact: readonly Buffer[] }[]
  readonly #found = new Map<string, Set<string>>()
  readonly #overlap: number

  /** @param words the word of each canary by canary id. */
  constructor(words: ReadonlyMap<string, string>) {
    this.#forms = [...words].map(([id, word]) => {
      const forms = writtenForms(word)
      return { id, plain: forms.slice(0, 3).map((each) => Buffer.from(each)), exact: forms.slice(3).map((each) => Buffer.from(each)) }
    })
    this.#overlap = Math.max(0, ...this.#forms.flatMap(({ plain, exact }) => [...plain, ...exact].map((each) => each.length - 1)))
  }

  /** Returns a function that searches a stream of bytes from one place. Call it with each chunk, in order. */
  at(place: string): (chunk: Uint8Array) => void {
    let kept: Buffer = Buffer.alloc(0)
    return (chunk) => {
      const all = Buffer.concat([kept, chunk])
      this.look(place, all)
      kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#overlap)))
    }
  }

  /** Searches bytes that are complete. */
  look(place: string, bytes: Buffer): void {
    const lower = lowered(bytes)
    for (const { id, plain, exact } of this.#forms) {
      if (!plain.some((each) => lower.includes(each)) && !exact.some((each) => bytes.includes(each))) continue
      const places = this.#found.get(id) ?? new Set()
      if (places.size < 100) places.add(place)
      this.#found.set(id, places)
    }
  }

  get sightings(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#found].map(([id, places]) => [id, [...places]]))
  }
}

/** Returns a copy with ASCII letters in lower case and every other byte unchanged. */
function lowered(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = 0; at < copy.length; at++) {
    const byte = copy[at] ?? 0
    if (byte >= 0x41 && byte <= 0x5a) copy[at] = byte | 0x20
  }
  return copy
}
