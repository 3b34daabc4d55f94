import { timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'
import { shortestNeedle } from './finder.ts'
import { SpelledWords } from './spelled-words.ts'

/** Every secret that has not been disposed of, so that it can be removed from text that is about to be shown or stored. */
const living = new Set<Secret>()
/** The search for all of these secrets; null if it must be made. */
let search: { readonly words: SpelledWords; readonly secrets: readonly Secret[] } | null = null

/**
 * The single type for all values that must not be seen: keys, tokens, passwords. Prints, serialises and inspects as `[secret NAME]`.
 * Its bytes are in one buffer that `dispose` zeroes. `text` returns a string, which the language cannot wipe. It is only for
 * the code that sends the secret, and must not be kept.
 */
export class Secret implements Disposable {
  readonly name: string
  readonly #bytes: Buffer
  #disposed = false

  private constructor(name: string, bytes: Buffer) {
    this.name = name
    this.#bytes = bytes
    living.add(this)
    forgetSearch()
  }

  /** Returns a secret with a copy of the bytes, and zeroes the original bytes. */
  static take(name: string, bytes: Uint8Array): Secret {
    const own = Buffer.alloc(bytes.length)
    own.set(bytes)
    bytes.fill(0)
    return new Secret(name, own)
  }

  static fromText(name: string, text: string): Secret {
    return Secret.take(name, Buffer.from(text, 'utf8'))
  }

  /** The length in bytes. */
  get length(): number {
    return this.#bytes.length
  }

  get disposed(): boolean {
    return this.#disposed
  }

  /** Calls `act` with the bytes themselves, which are valid only during the call. Throws a plain Error if the secret was disposed of. */
  use<T>(act: (bytes: Buffer) => T): T {
    if (this.#disposed) throw new Error(`${this.toString()} was used after it was disposed of`)
    return act(this.#bytes)
  }

  /** Returns the secret as UTF-8 text. */
  text(): string {
    return this.use((bytes) => bytes.toString('utf8'))
  }

  /** Compares in constant time, except for the length. */
  equals(other: Secret | Uint8Array): boolean {
    const against = (bytes: Uint8Array): boolean =>
      this.use((own) => (own.length === bytes.length ? timingSafeEqual(own, bytes) : timingSafeEqual(own, own) && false))
    return other instanceof Secret ? other.use(against) : against(other)
  }

  dispose(): void {
    this.#bytes.fill(0)
    this.#disposed = true
    living.delete(this)
    forgetSearch()
  }

  [Symbol.dispose](): void {
    this.dispose()
  }

  toString(): string {
    return `[secret ${this.name}]`
  }

  toJSON(): string {
    return this.toString()
  }

  [Symbol.toPrimitive](): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}

/** Replaces every living secret in a text with its name, in each spelling that `SpelledWords` knows. */
export function maskSecrets(text: string): string {
  const { words, secrets } = livingSearch()
  if (words.empty) return text
  const bytes = Buffer.from(text)
  let clean = ''
  let at = 0
  for (const { word, start, end } of words.hits(bytes).toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) clean += `${bytes.toString('utf8', at, start)}${secrets[word]}`
    at = Math.max(at, end)
  }
  return at === 0 ? text : clean + bytes.toString('utf8', at)
}

function livingSearch(): NonNullable<typeof search> {
  if (search !== null) return search
  const secrets = [...living].filter((each) => each.length >= shortestNeedle)
  search = { secrets, words: new SpelledWords(secrets.map((each) => each.use((bytes) => bytes))) }
  return search
}

function forgetSearch(): void {
  search?.words.forget()
  search = null
}
