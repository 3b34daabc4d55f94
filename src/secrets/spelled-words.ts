import { longestEscape } from './escape.ts'
import { Finder, type Hit } from './finder.ts'
import { base64Parts, spellings, wide } from './spellings.ts'
import { Unescaped } from './unescaped.ts'

/** A search over a stream of bytes. */
export interface Search {
  readonly empty: boolean
  /** The maximum length of an occurrence in bytes. */
  readonly longest: number
  /** Returns every occurrence, as [start, end). They may overlap. */
  ranges(data: Buffer): readonly (readonly [number, number])[]
  /**
   * Returns the number of last bytes that may be the start of an occurrence that continues after them, if it has at least `least`
   * characters.
   */
  partial(data: Buffer, least: number): number
}

/**
 * Finds secrets in bytes: in each of `spellings`, in UTF-16, with any of their characters escaped as in URLs, JSON or HTML, and in
 * base64 with line breaks.
 */
export class SpelledWords implements Search {
  readonly longest: number
  readonly #exact: Searched
  readonly #plain: Searched
  readonly #view = new Unescaped()

  constructor(secrets: readonly Buffer[]) {
    this.#exact = searched(secrets, (each) => [...spellings(each).map((text) => Buffer.from(text)), ...wide(each)])
    this.#plain = searched(secrets, (each) => [each, this.#unescaped(each), ...base64Parts(each).map((text) => Buffer.from(text))])
    this.longest = Math.max(this.#exact.finder.longest, this.#plain.finder.longest * longestEscape)
  }

  get empty(): boolean {
    return this.#exact.finder.empty
  }

  /** Returns every occurrence, with the index of its secret. They may overlap. */
  hits(data: Buffer): readonly Hit[] {
    const found = hitsOf(this.#exact, data)
    const view = this.#view
    if (this.empty || !view.read(data)) return found
    const plain = hitsOf(this.#plain, view.bytes)
    return [...found, ...plain.map(({ word, start, end }) => ({ word, start: view.startOf(start), end: view.endOf(end) }))]
  }

  ranges(data: Buffer): readonly (readonly [number, number])[] {
    return this.hits(data).map(({ start, end }) => [start, end] as const)
  }

  partial(data: Buffer, least: number): number {
    const exact = this.#exact.finder.partial(data, least)
    const last = data.subarray(-this.longest)
    const view = this.#view
    if (this.empty || !view.read(last)) return exact
    const plain = this.#plain.finder.partial(view.bytes, least)
    return plain === 0 ? exact : Math.max(exact, last.length - view.startOf(view.bytes.length - plain))
  }

  /** Overwrites the words. Nothing is found afterwards. */
  forget(): void {
    this.#exact.finder.forget()
    this.#plain.finder.forget()
    this.#view.forget()
  }

  /** Returns the unescaped form of a secret that itself contains line breaks or text that looks like an escape. */
  #unescaped(secret: Buffer): Buffer {
    const view = this.#view
    return view.read(secret) ? Buffer.concat([view.bytes, secret.subarray(view.startOf(view.bytes.length))]) : secret
  }
}

/** A search for words that belong to secrets: `owners` has the index of each word's secret. */
interface Searched {
  readonly finder: Finder
  readonly owners: readonly number[]
}

function searched(secrets: readonly Buffer[], wordsOf: (secret: Buffer) => readonly Buffer[]): Searched {
  const all = new Map<string, { readonly word: Buffer; readonly owner: number }>()
  for (const [owner, secret] of secrets.entries()) for (const word of wordsOf(secret)) all.set(word.toString('latin1'), { word, owner })
  return { finder: new Finder([...all.values()].map(({ word }) => word)), owners: [...all.values()].map(({ owner }) => owner) }
}

function hitsOf({ finder, owners }: Searched, data: Buffer): readonly Hit[] {
  return finder.hits(data).map(({ word, start, end }) => ({ word: owners[word] as number, start, end }))
}
