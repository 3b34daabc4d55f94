import { longestEscape } from './escape.ts'
import { Finder } from './finder.ts'
import { base64Parts, spellings } from './secret.ts'
import { Unescaped } from './unescaped.ts'

/** What a stream of bytes is searched with. */
export interface Search {
  readonly empty: boolean
  /** Bytes that an occurrence may have. */
  readonly longest: number
  /** Every occurrence, as [start, end). They may overlap. */
  ranges(data: Buffer): readonly (readonly [number, number])[]
  /** How many of the last bytes may be the beginning of an occurrence that goes on behind them; fewer than `least` characters do not count. */
  partial(data: Buffer, least: number): number
}

/**
 * Finds secrets in bytes: in each of `spellings`, in UTF-16, with any of their characters escaped as URLs, JSON or HTML do it, and in base64
 * that is broken into lines.
 */
export class SpelledWords implements Search {
  readonly longest: number
  readonly #exact: Finder
  readonly #plain: Finder
  readonly #view = new Unescaped()

  constructor(secrets: readonly Buffer[]) {
    this.#exact = new Finder(unique(secrets.flatMap((each) => [...spellings(each).map((text) => Buffer.from(text)), ...wide(each)])))
    this.#plain = new Finder(
      unique(secrets.flatMap((each) => [each, this.#unescaped(each), ...base64Parts(each).map((text) => Buffer.from(text))])),
    )
    this.longest = Math.max(this.#exact.longest, this.#plain.longest * longestEscape)
  }

  get empty(): boolean {
    return this.#exact.empty
  }

  ranges(data: Buffer): readonly (readonly [number, number])[] {
    const found = this.#exact.ranges(data)
    const view = this.#view
    if (this.empty || !view.read(data)) return found
    return [...found, ...this.#plain.ranges(view.bytes).map(([start, end]) => [view.startOf(start), view.endOf(end)] as const)]
  }

  partial(data: Buffer, least: number): number {
    const exact = this.#exact.partial(data, least)
    const last = data.subarray(-this.longest)
    const view = this.#view
    if (this.empty || !view.read(last)) return exact
    const plain = this.#plain.partial(view.bytes, least)
    return plain === 0 ? exact : Math.max(exact, last.length - view.startOf(view.bytes.length - plain))
  }

  /** Overwrites what it looks for; it finds nothing any more. */
  forget(): void {
    this.#exact.forget()
    this.#plain.forget()
    this.#view.forget()
  }

  /** How a secret reads that itself holds line breaks, or what looks like an escape. */
  #unescaped(secret: Buffer): Buffer {
    const view = this.#view
    return view.read(secret) ? Buffer.concat([view.bytes, secret.subarray(view.startOf(view.bytes.length))]) : secret
  }
}

/** UTF-16 in either order of bytes. */
function wide(bytes: Buffer): readonly Buffer[] {
  const little = Buffer.from(bytes.toString('utf8'), 'utf16le')
  return [little, Buffer.from(little).swap16()]
}

const unique = (words: readonly Buffer[]): readonly Buffer[] => [...new Map(words.map((each) => [each.toString('latin1'), each])).values()]
