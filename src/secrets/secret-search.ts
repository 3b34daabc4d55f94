import { Finder } from './finder.ts'
import { fold, unfold } from './folded.ts'
import type { Secret } from './secret.ts'
import { spellings, wide } from './spellings.ts'

/** The place where a secret was found, as offsets in the stream. `end` is after its last byte. */
export interface Match {
  readonly secret: string
  readonly start: number
  readonly end: number
}

/** The minimum length of a secret in bytes. Shorter ones would be found in ordinary text. */
export const shortestSecret = 8
/** The number of bytes at the start of a longer spelling that are searched for. */
const longestWord = 1024

/**
 * Finds every spelling of secrets in files of any length, in constant memory, and returns which secret was found and where. Also finds
 * secrets with spaces and line ends between their bytes, as base64(1) and xxd(1) write them. Disposing wipes the spellings.
 */
export class SecretSearch implements Disposable {
  readonly #finder: Finder
  readonly #names: readonly string[]

  constructor(secrets: readonly Secret[]) {
    const words = secrets.flatMap((secret) => secret.use(wordsOf).map((word) => ({ secret: secret.name, word })))
    this.#finder = new Finder(words.map(({ word }) => word))
    this.#names = words.map(({ secret }) => secret)
  }

  /** True if there is nothing to search for. */
  get isEmpty(): boolean {
    return this.#finder.empty
  }

  /** Returns a new stream to search. */
  stream(): SecretStream {
    return new SecretStream(this.#finder, this.#names)
  }

  /** Returns the matches in a buffer. */
  in(bytes: Buffer): readonly Match[] {
    return this.stream().push(bytes)
  }

  [Symbol.dispose](): void {
    this.#finder.forget()
  }
}

/** Returns every spelling of a secret, in UTF-8 and UTF-16; empty if the secret is too short. */
function wordsOf(bytes: Buffer): readonly Buffer[] {
  if (bytes.length < shortestSecret) return []
  const texts = [
    ...spellings(bytes),
    // The text without spaces is included, to find a key whose lines were wrapped differently.
    bytes.toString('utf8').replace(/[\t-\r ]/g, ''),
  ]
  const words = [bytes, ...texts.map((each) => Buffer.from(each)), ...wide(bytes)].filter((each) => each.length >= shortestSecret)
  return [...new Map(words.map((each) => [each.toString('latin1', 0, longestWord), Buffer.from(each.subarray(0, longestWord))])).values()]
}

/** A stream of bytes that is searched piece by piece. */
class SecretStream {
  readonly #finder: Finder
  readonly #names: readonly string[]
  readonly #keep: number
  #carry: Buffer = Buffer.alloc(0)
  #folded: Buffer = Buffer.alloc(0)
  /** The number of bytes in the earlier pieces. */
  #offset = 0

  constructor(finder: Finder, names: readonly string[]) {
    this.#finder = finder
    this.#names = names
    this.#keep = Math.max(0, finder.longest - 1)
  }

  /** Returns the matches that end in this piece. */
  push(piece: Buffer): readonly Match[] {
    if (this.#finder.empty) return []
    const found = new Map<string, Match>()
    const add = (word: number, start: number, end: number): void => {
      const secret = this.#names[word] as string
      const key = `${secret}\0${end}`
      if (!found.has(key)) found.set(key, { secret, start, end })
    }
    const window = this.#carry.length === 0 ? piece : Buffer.concat([this.#carry, piece])
    const base = this.#offset - this.#carry.length
    for (const { word, start, end } of this.#finder.hits(window, this.#carry.length)) add(word, base + start, base + end)
    const folded = fold(piece)
    const all = this.#folded.length === 0 ? folded : Buffer.concat([this.#folded, folded])
    // If the piece contains no spaces, its matches were found above.
    if (folded.length < piece.length || !this.#folded.equals(this.#carry))
      for (const { word, end } of this.#finder.hits(all, this.#folded.length)) {
        const at = this.#offset + unfold(piece, end - this.#folded.length)
        add(word, at - 1, at)
      }
    this.#carry = tail(window, this.#keep)
    this.#folded = tail(all, this.#keep)
    this.#offset += piece.length
    return [...found.values()]
  }
}

/** Returns a copy of the last bytes, so that the searched buffer can be freed. */
function tail(bytes: Buffer, length: number): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - length)))
}
