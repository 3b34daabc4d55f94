/** The longest text in an event, in characters; longer texts are cut. */
export const longestText = 256 * 1024

/** The deepest level in an event; a note replaces anything deeper. */
const deepest = 64

/**
 * Returns an event with its long texts cut. The key `cut` then lists the keys of these texts and their lengths:
 * `["input.content: 1000000 characters"]`.
 */
export function shortened<T extends object>(event: T): T & { readonly cut?: readonly string[] } {
  const cut: string[] = []
  const walk = (value: unknown, key: string, depth: number): unknown => {
    if (typeof value === 'string') {
      if (value.length <= longestText) return value
      cut.push(`${key}: ${value.length} characters`)
      return value.slice(0, longestText).toWellFormed()
    }
    if (typeof value !== 'object' || value === null) return value
    if (depth > deepest) {
      cut.push(`${key}: nested too deep`)
      return null
    }
    const below = (name: string): string => (key === '' ? name : `${key}.${name}`)
    if (Array.isArray(value)) return value.map((each, index) => walk(each, below(String(index)), depth + 1))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, below(name), depth + 1)]))
  }
  const short = walk(event, '', 0) as T
  return cut.length === 0 ? short : { ...short, cut: cut.slice(0, 20) }
}
