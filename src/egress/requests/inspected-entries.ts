import { PaddockError } from '../../errors.ts'
import { parseAllow } from '../policy/allow.ts'
import { isWildcard, matchesPattern } from '../policy/host-pattern.ts'
import type { AllowEntry, HttpRule } from '../policy/policy.ts'
import { isForge, rulesOfSet } from './rule-sets.ts'
import { parseRule, parseRuleSet } from './rule-text.ts'

/** What a user says about inspection, in the words of the command line. */
export interface InspectionWishes {
  /** `HOST[:PORT…][=ADDRESS[:PORT]]` */
  readonly inspect: readonly string[]
  readonly rule: readonly string[]
  /** `SET[=ask|deny]` */
  readonly rules: readonly string[]
  /** The same of a project: they decide only what all of the user's leave open. */
  readonly projectRule?: readonly string[]
  readonly projectRules?: readonly string[]
}

/**
 * The entries of a policy with the wishes worked in. A host that is named is inspected on every port that any entry allows, so that
 * nothing goes around it; one that no entry has becomes allowed. Rule sets hold for all inspected hosts, known forges, and for `publish`
 * the registries of presets. The user's rules come first, in their order, then the
 * user's sets, then the rules and the sets of a project, then those that an entry came with.
 * `places` names the wishes in messages.
 * @throws PaddockError BAD_INPUT
 */
export function withInspection(
  entries: readonly AllowEntry[],
  wishes: InspectionWishes,
  places = { inspect: '--inspect', rule: '--rule', rules: '--rules' },
): readonly AllowEntry[] {
  const rulesIn = (texts: readonly string[], project: boolean) => texts.map((each) => ({ ...parseRule(each, places.rule), project }))
  const setsIn = (texts: readonly string[], project: boolean) => texts.map((each) => ({ ...parseRuleSet(each, places.rules), project }))
  const rules = [...rulesIn(wishes.rule, false), ...rulesIn(wishes.projectRule ?? [], true)]
  const sets = [...setsIn(wishes.rules, false), ...setsIn(wishes.projectRules ?? [], true)]
  const named = [...wishes.inspect.map((each) => parseAllow(each, { place: places.inspect })), ...rules.map(({ entry }) => entry)]
  if (named.length + sets.length === 0) return entries
  const all = [...entries]
  for (const wish of named) all.push(...missing(wish, all))
  let held = 0
  const inspected = all.map((entry): AllowEntry => {
    const isNamed = named.some(({ host }) => covers(host, entry.host))
    const own = rules.filter((each) => covers(each.entry.host, entry.host))
    const ready = sets.filter(
      ({ name }) => isNamed || entry.inspect !== undefined || isForge(entry.host) || (name === 'publish' && isRegistry(entry)),
    )
    if (!isNamed && ready.length === 0) return entry
    held += ready.length
    const found: HttpRule[] = [false, true].flatMap((project) => [
      ...own.filter((each) => each.project === project).map(({ rule }) => rule),
      ...ready.filter((each) => each.project === project).flatMap(({ name, action }) => rulesOfSet(name, action)),
    ])
    return { ...entry, inspect: { rules: [...found, ...(entry.inspect?.rules ?? [])], otherwise: 'allow' } }
  })
  if (sets.length > 0 && held === 0) {
    throw new PaddockError('BAD_INPUT', `${places.rules} ${sets[0]?.name}: no host that the cell may reach is a known forge or inspected`, {
      hint: `Name the hosts it is meant for with ${places.inspect}.`,
    })
  }
  return inspected
}

/** The patterns of the inspected entries: what a cell's authority vouches for. */
export function inspectedHosts(policy: { readonly mode: string; readonly entries?: readonly AllowEntry[] }): readonly string[] {
  return [
    ...new Set(
      (policy.entries ?? []).filter(({ inspect, endpoint }) => inspect !== undefined && endpoint === undefined).map(({ host }) => host),
    ),
  ]
}

function covers(pattern: string, host: string): boolean {
  return pattern === host || matchesPattern(pattern, host) || (isWildcard(host) && matchesPattern(pattern, host.slice(2)))
}

/** What must be added for the ports of a wish to be reached: a part of a wider entry, or an entry of its own. */
function missing(wish: AllowEntry, entries: readonly AllowEntry[]): readonly AllowEntry[] {
  if (wish.pin !== undefined) return [wish]
  const same = new Set(entries.filter(({ host }) => host === wish.host).flatMap(({ ports }) => ports))
  const wider = entries.filter(({ host }) => host !== wish.host && covers(host, wish.host))
  const taken = wider.map((each) => ({ ...each, host: wish.host, ports: each.ports.filter((port) => !same.has(port)) }))
  const reached = new Set([...same, ...taken.flatMap(({ ports }) => ports)])
  // Who names no port means the ports that the host is allowed on.
  const ports = reached.size > 0 && wish.ports.length === 1 && wish.ports[0] === 443 ? [] : wish.ports.filter((port) => !reached.has(port))
  return [...taken, { ...wish, ports }].filter((each) => each.ports.length > 0)
}

const isRegistry = ({ source }: AllowEntry): boolean => source === 'npm' || source === 'pypi'
