/** A rule of a profile. `filters` are lists of words, for example `["subpath", "/usr"]`. */
export interface ReadRule {
  readonly action: string
  readonly operations: readonly string[]
  readonly filters: readonly (readonly unknown[])[]
}

type Node = string | { readonly text: string } | readonly Node[]

/** Reads the rules of a profile: only lists, symbols and strings of Scheme. It does not depend on the code that writes profiles. */
export function parseProfile(source: string): readonly ReadRule[] {
  let at = 0
  const fail = (why: string): never => {
    throw new Error(`${why} at ${at}: ${source.slice(at, at + 40)}`)
  }
  const skip = (): void => {
    while (/\s/.test(source[at] ?? '')) at++
  }
  const node = (): Node => {
    skip()
    if (source[at] === '(') {
      at++
      const items: Node[] = []
      for (skip(); source[at] !== ')'; skip()) {
        if (at >= source.length) fail('a list without an end')
        items.push(node())
      }
      at++
      return items
    }
    if (source[at] === '"') {
      let text = ''
      for (at++; source[at] !== '"'; at++) {
        if (at >= source.length) fail('a string without an end')
        if (source[at] === '\\') at++
        text += source[at]
      }
      at++
      return { text }
    }
    const [symbol = ''] = /^[A-Za-z0-9*-]+/.exec(source.slice(at)) ?? []
    if (symbol === '') fail('nothing that is known')
    at += symbol.length
    return symbol
  }
  const rules: ReadRule[] = []
  for (skip(); at < source.length; skip()) {
    const form = node()
    if (!Array.isArray(form)) return fail('a form that is not a list')
    const [action, ...rest] = form as Node[]
    if (action === 'version') continue
    if (action !== 'allow' && action !== 'deny') return fail(`the form ${String(action)}`)
    rules.push({
      action,
      operations: rest.filter((each): each is string => typeof each === 'string'),
      filters: rest
        .filter((each): each is readonly Node[] => Array.isArray(each))
        .map((each) => each.map((word) => (typeof word === 'object' && 'text' in word ? word.text : word))),
    })
  }
  return rules
}

/** Returns whether a profile allows an operation on a path. The last matching rule decides. */
export function decide(rules: readonly ReadRule[], operation: string, file: string | null): boolean {
  const last = rules.findLast(
    (rule) =>
      rule.operations.some(
        (each) => each === 'default' || each === operation || (each.endsWith('*') && operation.startsWith(each.slice(0, -1))),
      ) &&
      (rule.filters.length === 0 || rule.filters.some((filter) => holds(filter, file))),
  )
  return last?.action === 'allow'
}

function holds([kind, text]: readonly unknown[], file: string | null): boolean {
  if (file === null || typeof text !== 'string') return false
  if (kind === 'literal') return file === text
  return kind === 'subpath' && (file === text || file.startsWith(`${text}/`))
}
