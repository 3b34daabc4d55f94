import { Finder } from './finder.ts'
import { fold, unfold } from './folded.ts'
import type { Secret } from './secret.ts'
import { spellings, wide } from './spellings.ts'

/** Where a secret was found: offsets in the stream, `end` behind its last byte. */
export interface Match {
  readonly secret: string
  readonly start: number
  readonly end: number
}

/** Shorter secrets, in bytes, would be found in ordinary text. */
export const shortestSecret = 8
/** The start of a long spelling stands for all of it. */
const longestWord = 1024

/**
 * Finds every spelling of some secrets in files of any length, in constant memory, and says which secret and where. Also finds them with blanks
 * and line ends between their bytes, as base64(1) and xxd(1) write them. Dispose wipes the spellings.
 */
export class SecretSearch implements Disposable {
  readonly #finder: Finder
  readonly #names: readonly string[]

  constructor(secrets: readonly Secret[]) {
    const words = secrets.flatMap((secret) => secret.use(wordsOf).map((word) => ({ secret: secret.name, word })))
    this.#finder = new Finder(words.map(({ word }) => word))
    this.#names = words.map(({ secret }) => secret)
  }

  /** True if there is nothing to look for. */
  get isEmpty(): boolean {
    return this.#finder.empty
  }

  /** A new stream to look through. */
  stream(): SecretStream {
    return new SecretStream(this.#finder, this.#names)
  }

  /** The matches in one piece of bytes. */
  in(bytes: Buffer): readonly Match[] {
    return this.stream().push(bytes)
  }

  [Symbol.dispose](): void {
    this.#finder.forget()
  }
}

/** Every spelling of a secret, in UTF-8 and UTF-16; none for one that is too short. */
function wordsOf(bytes: Buffer): readonly Buffer[] {
  if (bytes.length < shortestSecret) return []
  const texts = [
    ...spellings(bytes),
    // Without its blanks: a key whose lines were broken elsewhere.
    bytes.toString('utf8').replace(/[\t-\r ]/g, ''),
  ]
  const words = [bytes, ...texts.map((each) => Buffer.from(each)), ...wide(bytes)].filter((each) => each.length >= shortestSecret)
  return [...new Map(words.map((each) => [each.toString('latin1', 0, longestWord), Buffer.from(each.subarray(0, longestWord))])).values()]
}

/** One stream of bytes, given piece by piece. */
class SecretStream {
  readonly #finder: Finder
  readonly #names: readonly string[]
  readonly #keep: number
  #carry: Buffer = Buffer.alloc(0)
  #folded: Buffer = Buffer.alloc(0)
  /** Bytes of the pieces before. */
  #offset = 0

  constructor(finder: Finder, names: readonly string[]) {
    this.#finder = finder
    this.#names = names
    this.#keep = Math.max(0, finder.longest - 1)
  }

  /** The matches that end in this piece. */
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
    // Without blanks in it, what the piece itself holds was found above.
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

/** A copy: what was searched is let go of. */
function tail(bytes: Buffer, length: number): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - length)))
}
