import type { HttpRule, Inspection, RuleAction } from '../policy/egress-policy.ts'
import { maxMethods } from './overrides.ts'
import { Parameters } from './parameters.ts'
import { type CanonicalTarget, readingsOf } from './path.ts'
import { pathPattern, type Reading, readingOf } from './path-pattern.ts'

export interface Verdict {
  readonly action: RuleAction
  /** The deciding rule. Null if no rule matched, or if the request has too many readings. */
  readonly rule: HttpRule | null
}

export interface JudgedRequest {
  /** All methods as which the request could be read: its own, and those in override fields. */
  readonly methods: readonly string[]
  readonly target: CanonicalTarget
}

const strength: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 }

/**
 * Returns a function that judges requests by an inspection's rules. For each reading of a request the first matching rule decides. Of
 * several readings the strictest result counts. Rules that deny or ask ignore case, allow rules do not. An unusual spelling can therefore
 * only make the result stricter.
 *
 * The cell chooses methods, path and query, so the cost is bounded. Each reading is matched once with each rule, whatever the number of
 * methods (`maxMethods`) and parameters, and the total length of a path's readings is limited (`readingsOf`).
 */
export function judgeOf(inspection: Inspection): (request: JudgedRequest) => Verdict {
  const rules = inspection.rules.map((rule) => ({ rule, matches: matcherOf(rule) }))
  const none: Verdict = { action: inspection.otherwise, rule: null }
  if (rules.length === 0) return () => none
  return ({ methods, target }) => {
    const paths = methods.length > maxMethods ? null : readingsOf(target.path)
    if (paths === null) return { action: 'deny', rule: null }
    const asked = new Parameters(target.query)
    let strictest: Verdict | null = null
    for (const reading of paths.map(readingOf)) {
      let open = methods
      const decide = (verdict: Verdict): void => {
        if (strictest === null || strength[verdict.action] > strength[strictest.action]) strictest = verdict
      }
      for (const { rule, matches } of rules) {
        const left = matches(open, reading, asked)
        if (left.length < open.length) decide({ action: rule.action, rule })
        open = left
        if (open.length === 0) break
      }
      if (open.length > 0) decide(none)
    }
    return strictest ?? none
  }
}

/** Returns the strictest of several verdicts, and the first one of equals. */
export function strictestOf(verdicts: readonly [Verdict, ...Verdict[]]): Verdict {
  return verdicts.reduce((strictest, each) => (strength[each.action] > strength[strictest.action] ? each : strictest))
}

/** Returns a rule in the syntax that users write, for messages: `deny POST,PUT /repos/**`. */
export function ruleText({ action, methods, path, query }: HttpRule): string {
  const asked = query === undefined ? '' : `?${new URLSearchParams({ ...query }).toString()}`
  return `${action} ${methods.length === 0 ? '*' : methods.join(',')} ${path}${asked}`
}

/**
 * Returns a function that matches the rule against one reading of a request. It returns those of the given methods that the rule does
 * not match with this path and these parameters; the same array if the rule matches none of them.
 */
export function matcherOf(rule: HttpRule): (methods: readonly string[], path: Reading, asked: Parameters) => readonly string[] {
  const allows = rule.action === 'allow'
  const named = new Set(rule.methods.map((each) => each.toUpperCase()))
  const pattern = pathPattern(rule.path, { ignoreCase: !allows })
  return (methods, path, asked) => {
    const left = named.size === 0 ? [] : methods.filter((method) => !named.has(allows ? method : method.toUpperCase()))
    if (left.length === methods.length || !pattern.matches(path)) return methods
    return rule.query === undefined || asked.hold(rule.query, allows) ? left : methods
  }
}
