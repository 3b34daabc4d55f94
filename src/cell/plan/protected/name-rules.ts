import { lazily } from '../../../base/lazily.ts'

/** A rule for a path relative to the project or, with `anyDepth`, to any directory in it. `*` in the last name matches any text. */
export interface NameRule {
  readonly path: string
  readonly anyDepth: boolean
}

/**
 * Returns a function that finds the first rule for an entry by its path relative to the project. Exact names take precedence over `*`.
 * `fold` is applied to the names in the rules. Paths must be folded in the same way before a look-up.
 */
export function nameRules<R extends NameRule>(rules: readonly R[], fold = (name: string): string => name): (relative: string) => R | null {
  const exact = new Map<string, Placed<R>[]>()
  const wild: (Placed<R> & { readonly source: string; readonly pattern: () => RegExp })[] = []
  for (const rule of rules) {
    const [directory, name] = split(fold(rule.path))
    const placed = { rule, directory, name }
    if (name.includes('*')) {
      const source = sourceOf(name)
      wild.push({ ...placed, source, pattern: lazily(() => new RegExp(source)) })
    } else exact.set(name, [...(exact.get(name) ?? []), placed])
  }
  // For nearly all names, a single test replaces many.
  const anyWild = lazily(() => (wild.length === 0 ? /$^/ : new RegExp(wild.map((each) => each.source).join('|'))))
  return (relative) => {
    const name = relative.slice(relative.lastIndexOf('/') + 1)
    const placed = exact.get(name)
    const isWild = anyWild().test(name)
    if (placed === undefined && !isWild) return null
    const [directory] = split(relative)
    const found = placed?.find((each) => isIn(directory, each))
    if (found !== undefined || !isWild) return found?.rule ?? null
    return wild.find((each) => each.pattern().test(name) && isIn(directory, each))?.rule ?? null
  }
}

interface Placed<R> {
  readonly rule: R
  /** The directory of the rule, which is empty or ends with `/`. */
  readonly directory: string
}

function isIn<R extends NameRule>(directory: string, placed: Placed<R>): boolean {
  return placed.directory === directory || (placed.rule.anyDepth && `/${directory}`.endsWith(`/${placed.directory}`))
}

function split(path: string): readonly [directory: string, name: string] {
  const at = path.lastIndexOf('/') + 1
  return [path.slice(0, at), path.slice(at)]
}

function sourceOf(name: string): string {
  return `^${name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^]*')}$`
}
