import { timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

/** Every secret that was not disposed of, so that text that is about to be shown or stored can be cleaned of it. */
const living = new Set<Secret>()
/** Shorter ones would be cut out of ordinary words. */
const minMasked = 6

/**
 * The one type of everything that must not be seen: keys, tokens, passwords. Prints, serialises and inspects as `[secret NAME]`.
 * Its bytes lie in one buffer that `dispose` zeroes. What `text` returns is a string, which the language cannot wipe: it is for the
 * one place that sends it, and is kept by nobody.
 */
export class Secret implements Disposable {
  readonly name: string
  readonly #bytes: Buffer
  #disposed = false

  private constructor(name: string, bytes: Buffer) {
    this.name = name
    this.#bytes = bytes
    living.add(this)
  }

  /** Takes a copy of the bytes and zeroes the ones given. */
  static take(name: string, bytes: Uint8Array): Secret {
    const own = Buffer.alloc(bytes.length)
    own.set(bytes)
    bytes.fill(0)
    return new Secret(name, own)
  }

  static fromText(name: string, text: string): Secret {
    return Secret.take(name, Buffer.from(text, 'utf8'))
  }

  /** Length in bytes. */
  get length(): number {
    return this.#bytes.length
  }

  get disposed(): boolean {
    return this.#disposed
  }

  /** Hands out the bytes themselves for the time of one call. Throws a plain Error when disposed. */
  use<T>(act: (bytes: Buffer) => T): T {
    if (this.#disposed) throw new Error(`${this.toString()} was used after it was disposed of`)
    return act(this.#bytes)
  }

  /** The secret as UTF-8 text. */
  text(): string {
    return this.use((bytes) => bytes.toString('utf8'))
  }

  /** Compared in constant time, but for the length. */
  equals(other: Secret | Uint8Array): boolean {
    const against = (bytes: Uint8Array): boolean =>
      this.use((own) => (own.length === bytes.length ? timingSafeEqual(own, bytes) : timingSafeEqual(own, own) && false))
    return other instanceof Secret ? other.use(against) : against(other)
  }

  dispose(): void {
    this.#bytes.fill(0)
    this.#disposed = true
    living.delete(this)
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

/** Replaces every living secret in a text by its name: as it is, and as URLs, base64, hex and JSON spell it. */
export function maskSecrets(text: string): string {
  let clean = text
  for (const secret of living) {
    if (secret.length < minMasked) continue
    for (const each of secret.use(spellings)) if (clean.includes(each)) clean = clean.replaceAll(each, secret.toString())
  }
  return clean
}

/**
 * How a secret may be spelled in text: plain, JSON (slashes escaped or not), percent-encoded in large and in small letters, hex, also with
 * colons or blanks between the bytes, and base64.
 */
export function spellings(bytes: Buffer): readonly string[] {
  const plain = bytes.toString('utf8')
  const hex = bytes.toString('hex')
  const hexes = [hex, ...[':', ' '].map((between) => hex.replace(/..(?!$)/g, `$&${between}`))]
  const json = JSON.stringify(plain).slice(1, -1)
  const percent = encodeURIComponent(plain.toWellFormed())
  const small = percent.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase())
  const upper = hexes.map((each) => each.toUpperCase())
  const found = [plain, json, json.replaceAll('/', '\\/'), percent, small, ...hexes, ...upper, ...base64Parts(bytes)]
  return [...new Set(found)].filter((each) => each !== '').sort((a, b) => b.length - a.length)
}

/**
 * What base64 (RFC 4648, both alphabets) makes of a secret. That depends on where in its surroundings the secret begins, so the part that
 * stays the same in each of the three alignments is there for the whole.
 */
export function base64Parts(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const part = whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3))
    return part.length < minMasked ? [] : [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
