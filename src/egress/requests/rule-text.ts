import { PaddockError } from '../../base/errors.ts'
import { nearest } from '../../base/nearest.ts'
import { parseAllow } from '../policy/allow.ts'
import type { AllowEntry, HttpRule, RuleAction } from '../policy/egress-policy.ts'
import { canonicalTarget } from './path.ts'
import { ruleSets } from './rule-sets.ts'

export interface HostRule {
  /** The host of the rule, as an entry with the port to inspect. The default port is 443. */
  readonly entry: AllowEntry
  readonly rule: HttpRule
  /** The rule as the user wrote it. */
  readonly text: string
}

/**
 * Parses `ACTION METHODS HOST[:PORT]/PATH[?NAME=VALUE]`: `deny POST,PUT api.example.com/repos/**`. `*` means every method.
 * @throws PaddockError BAD_INPUT with `place`, the error and a valid form
 */
export function parseRule(text: string, place: string): HostRule {
  const words = text.trim().split(/\s+/)
  const [action = '', methods = '', where = ''] = words
  if (words.length !== 3) throw bad(place, `${JSON.stringify(text)} is not a rule`, `Write ${example}`)
  if (action !== 'allow' && action !== 'deny' && action !== 'ask') {
    throw bad(place, `${JSON.stringify(action)} is not an action`, 'Begin with allow, deny or ask')
  }
  const slash = where.indexOf('/')
  if (slash < 1) throw bad(place, `${JSON.stringify(where)} is not a host and a path`, `Write ${example}`)
  const entry = parseAllow(where.slice(0, slash), { place })
  const target = canonicalTarget(where.slice(slash))
  if (target === null) throw bad(place, `${where.slice(slash)} is not a path`, 'Write it as in a URL, with * and ** as wildcards')
  const query = [...new URLSearchParams(target.query.slice(1))]
  return {
    entry,
    text,
    rule: {
      action,
      methods: methodsOf(methods, place),
      path: target.path,
      ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
      source: 'user',
    },
  }
}

const example = "'deny POST,PUT api.example.com/repos/**'"

function methodsOf(text: string, place: string): string[] {
  if (text === '*') return []
  const methods = text.toUpperCase().split(',')
  for (const each of methods) {
    if (!/^[A-Z][A-Z-]{1,23}$/.test(each))
      throw bad(place, `${JSON.stringify(each)} is not a method`, 'Write * for all, or for example POST,PUT,DELETE')
  }
  return methods
}

/** Parses `SET[=ask|deny]`. @throws PaddockError BAD_INPUT */
export function parseRuleSet(text: string, place: string): { readonly name: string; readonly action: RuleAction } {
  const [name = '', action = 'deny', ...more] = text.split('=')
  const known = Object.keys(ruleSets)
  if (!Object.hasOwn(ruleSets, name)) {
    const near = nearest(name, known)
    throw bad(
      place,
      `there is no rule set ${JSON.stringify(name)}`,
      near === null ? `Use one of: ${known.join(', ')}` : `Did you mean ${near}?`,
    )
  }
  if (more.length > 0 || (action !== 'ask' && action !== 'deny')) {
    throw bad(place, `${JSON.stringify(text)} is not a rule set`, `Write ${name}, ${name}=deny or ${name}=ask`)
  }
  return { name, action }
}

function bad(place: string, what: string, hint: string): PaddockError {
  return new PaddockError('BAD_INPUT', `${place}: ${what}.`, { hint })
}
