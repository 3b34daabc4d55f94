import type { HttpRule, Inspection, RuleAction } from '../policy/policy.ts'
import { maxMethods } from './overrides.ts'
import { Parameters } from './parameters.ts'
import { type CanonicalTarget, readingsOf } from './path.ts'
import { pathPattern, type Reading, readingOf } from './path-pattern.ts'

export interface Verdict {
  readonly action: RuleAction
  /** The rule that decided. Null if none matched, or if the request has too many readings. */
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
 * strictest answer counts. Rules that forbid or ask ignore case, those that allow do not, so an unusual spelling can only lose.
 *
 * The cell chooses methods, path and query, so their cost is bounded: each reading is matched once with each rule, whatever the number of
 * methods (`maxMethods`) and parameters, and the readings of one path have a common length at most (`readingsOf`).
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

/** The verdict of several that forbids most; the first of equals. */
export function strictestOf(verdicts: readonly [Verdict, ...Verdict[]]): Verdict {
  return verdicts.reduce((strictest, each) => (strength[each.action] > strength[strictest.action] ? each : strictest))
}

/** A rule as a user would write it, for messages: `deny POST,PUT /repos/**`. */
export function ruleText({ action, methods, path, query }: HttpRule): string {
  const asked = query === undefined ? '' : `?${new URLSearchParams({ ...query }).toString()}`
  return `${action} ${methods.length === 0 ? '*' : methods.join(',')} ${path}${asked}`
}

/**
 * Holds one rule against one reading of a request: of the methods that were given, those that the rule does not match with this path and
 * these parameters; the very list if it matches none.
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
