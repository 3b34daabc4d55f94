import type { HttpRule, Inspection, RuleAction } from '../policy.ts'
import { type CanonicalTarget, canonicalPath, readingsOf } from './path.ts'

export interface Verdict {
  readonly action: RuleAction
  /** The rule that decided; null where none matched, or where the path has too many readings. */
  readonly rule: HttpRule | null
}

export interface JudgedRequest {
  /** Every method that the request could be taken for: its own, and those that override fields name. */
  readonly methods: readonly string[]
  readonly target: CanonicalTarget
}

const strength: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 }

/**
 * Makes the judge of an inspection's rules. For each reading of a request the first rule that matches decides; of several readings the
 * strictest answer counts. Rules that forbid or ask ignore case, those that allow do not: a spelling can only lose by being unusual.
 */
export function judgeOf(inspection: Inspection): (request: JudgedRequest) => Verdict {
  const rules = inspection.rules.map((rule) => ({ rule, matches: matcherOf(rule) }))
  const none: Verdict = { action: inspection.otherwise, rule: null }
  if (rules.length === 0) return () => none
  return ({ methods, target }) => {
    const paths = readingsOf(target.path)
    if (paths === null) return { action: 'deny', rule: null }
    let strictest: Verdict | null = null
    for (const method of methods) {
      for (const path of paths) {
        const found = rules.find(({ matches }) => matches(method, path, target.query))
        const verdict: Verdict = found === undefined ? none : { action: found.rule.action, rule: found.rule }
        if (strictest === null || strength[verdict.action] > strength[strictest.action]) strictest = verdict
      }
    }
    return strictest ?? none
  }
}

/** A rule as a user would write it, for messages: `deny POST,PUT /repos/**`. */
export function ruleText({ action, methods, path, query }: HttpRule): string {
  const asked = query === undefined ? '' : `?${new URLSearchParams({ ...query }).toString()}`
  return `${action} ${methods.length === 0 ? '*' : methods.join(',')} ${path}${asked}`
}

/** Tells whether one rule matches a method, one reading of a path, and a query with its `?`. */
export function matcherOf(rule: HttpRule): (method: string, path: string, query: string) => boolean {
  const allows = rule.action === 'allow'
  const methods = new Set(rule.methods.map((each) => each.toUpperCase()))
  const pattern = pathPattern(rule.path, allows ? '' : 'i')
  return (method, path, query) =>
    (methods.size === 0 || methods.has(allows ? method : method.toUpperCase())) &&
    pattern.test(path) &&
    (rule.query === undefined || hasParameters(query, rule.query, allows))
}

/**
 * A path pattern as a regular expression: `*` stands for part of one segment, `**` as a whole segment for any number of them, none
 * included, and elsewhere for any rest. Its escapes are brought into the canonical spelling first.
 */
export function pathPattern(text: string, flags: string): RegExp {
  const parts = canonicalPattern(text).split('/').slice(1)
  let source = '^'
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1
    if (part === '**') source += last ? '(?:/.*)?' : '(?:/[^/]+)*'
    else source += `/${part.split('**').map(segmentPattern).join('.*')}`
  }
  return new RegExp(`${source === '^' ? '^/' : source}$`, `${flags}s`)
}

const segmentPattern = (text: string): string =>
  text
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replaceAll('%2F', '(?:%2F|/)')

/**
 * Escapes of visible characters mean the characters: each path is judged decoded too. Not so a slash, which names with a slash in them are
 * told from two segments by (GitLab: `projects/group%2Fname`): it stands for itself both ways.
 */
function canonicalPattern(text: string): string {
  const canonical = canonicalPath(text)
  return canonical.replace(/%(?:2[1-46-9A-E]|[3-6][0-9A-F]|7[0-9A-E])/gi, (coded) =>
    String.fromCharCode(Number.parseInt(coded.slice(1), 16)),
  )
}

/** `strict`: each value of the parameter must be the wanted one. Otherwise one of them is enough, whatever separates parameters. */
function hasParameters(query: string, wanted: Readonly<Record<string, string>>, strict: boolean): boolean {
  const parameters = new URLSearchParams(strict ? query.slice(1) : query.slice(1).replaceAll(';', '&'))
  const fold = (text: string) => (strict ? text : text.toLowerCase().trim())
  return Object.entries(wanted).every(([name, value]) => {
    const values = [...parameters].filter(([key]) => fold(key) === fold(name)).map(([, each]) => fold(each))
    return values.length > 0 && (strict ? values.every((each) => each === value) : values.includes(fold(value)))
  })
}
