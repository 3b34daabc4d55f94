/** The parameters of one query. The query is read in each way at most once, regardless of the number of rules. */
export class Parameters {
  readonly #query: string
  readonly #read = new Map<boolean, ReadonlyMap<string, readonly string[]>>()

  /** @param query query including its `?`, or empty. */
  constructor(query: string) {
    this.#query = query
  }

  /** Returns true for a match. `strict`: every value of a parameter must match. Otherwise one value is enough, with any separator. */
  hold(wanted: Readonly<Record<string, string>>, strict: boolean): boolean {
    const fold = foldBy(strict)
    const parameters = this.#parameters(strict)
    return Object.entries(wanted).every(([name, value]) => {
      const values = parameters.get(fold(name)) ?? []
      return values.length > 0 && (strict ? values.every((each) => each === value) : values.includes(fold(value)))
    })
  }

  #parameters(strict: boolean): ReadonlyMap<string, readonly string[]> {
    const known = this.#read.get(strict)
    if (known !== undefined) return known
    const fold = foldBy(strict)
    const text = this.#query.slice(1)
    const found = new Map<string, string[]>()
    for (const [name, value] of new URLSearchParams(strict ? text : text.replaceAll(';', '&'))) {
      const values = found.get(fold(name))
      if (values === undefined) found.set(fold(name), [fold(value)])
      else values.push(fold(value))
    }
    this.#read.set(strict, found)
    return found
  }
}

const foldBy = (strict: boolean) => (strict ? (text: string) => text : (text: string) => text.toLowerCase().trim())
