/** A path relative to the project or, with `anyDepth`, to any directory of it. `*` in its last name: any part of that name. */
export interface NameRule {
  readonly path: string
  readonly anyDepth: boolean
}

/**
 * Returns a function that finds the first rule for an entry by its path relative to the project. Exact names take precedence over `*`.
 * `fold` is applied to the names of the rules: look paths up that were folded in the same way.
 */
export function nameRules<R extends NameRule>(rules: readonly R[], fold = (name: string): string => name): (relative: string) => R | null {
  const exact = new Map<string, { readonly rule: R; readonly path: string }[]>()
  const wild: { readonly rule: R; readonly pattern: RegExp }[] = []
  for (const rule of rules) {
    const path = fold(rule.path)
    if (path.includes('*')) wild.push({ rule, pattern: new RegExp(sourceOf(path, rule.anyDepth)) })
    else exact.set(lastName(path), [...(exact.get(lastName(path)) ?? []), { rule, path }])
  }
  // One test instead of many for nearly all names.
  const anyWild = wild.length === 0 ? /$^/ : new RegExp(wild.map((each) => each.pattern.source).join('|'))
  return (relative) => {
    const found = exact
      .get(lastName(relative))
      ?.find(({ rule, path }) => relative === path || (rule.anyDepth && relative.endsWith(`/${path}`)))
    if (found !== undefined) return found.rule
    return anyWild.test(relative) ? (wild.find((each) => each.pattern.test(relative))?.rule ?? null) : null
  }
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function sourceOf(path: string, anyDepth: boolean): string {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return `${anyDepth ? '(?:^|/)' : '^'}${escaped}$`
}
