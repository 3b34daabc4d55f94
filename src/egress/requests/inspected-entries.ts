import { PaddockError } from '../../base/errors.ts'
import type { AllowEntry, HttpRule, RuleAction } from '../policy/egress-policy.ts'
import { isWildcard, matchesPattern } from '../policy/host-pattern.ts'
import { isForge, rulesOfSet } from './rule-sets.ts'
import type { HostRule } from './rule-text.ts'

/** A user's wishes for inspection. A project's wishes (`project`) apply only to requests on which no wish of the user decides. */
export interface InspectionWishes {
  /** Hosts whose requests are judged. */
  readonly inspect: readonly AllowEntry[]
  readonly rules: readonly (HostRule & { readonly project: boolean })[]
  /** The rule sets to apply. `place` names the wish in messages. */
  readonly ruleSets: readonly { readonly name: string; readonly action: RuleAction; readonly project: boolean; readonly place: string }[]
}

/**
 * Returns the entries of a policy with the wishes applied. A named host is inspected on every port that any entry allows, so that
 * inspection cannot be bypassed. A host without an entry becomes allowed. Rule sets apply to all inspected hosts, known forges, and for
 * `publish` the registries of presets. The order is: the user's rules in their order, then the user's sets, then the rules and the sets
 * of a project, then those of the entry itself.
 * @throws PaddockError BAD_INPUT
 */
export function withInspection(
  entries: readonly AllowEntry[],
  { inspect, rules, ruleSets: sets }: InspectionWishes,
): readonly AllowEntry[] {
  const named = [...inspect, ...rules.map(({ entry }) => entry)]
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
    throw new PaddockError(
      'BAD_INPUT',
      `${sets[0]?.place} ${sets[0]?.name}: no host that the cell may reach is a known forge or inspected.`,
      {
        hint: 'Add the forge, such as --preset github, or name the hosts that it is meant for with --inspect or egress.inspect of the file',
      },
    )
  }
  return inspected
}

/** Returns the patterns of the inspected entries. A cell's authority can sign for these names. */
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

/** Returns the entry to add for the ports of a wish: a part of a wider entry, or a new entry. */
function missing(wish: AllowEntry, entries: readonly AllowEntry[]): readonly AllowEntry[] {
  if (wish.pin !== undefined) return [wish]
  const same = new Set(entries.filter(({ host }) => host === wish.host).flatMap(({ ports }) => ports))
  const wider = entries.filter(({ host }) => host !== wish.host && covers(host, wish.host))
  const taken = wider.map((each) => ({ ...each, host: wish.host, ports: each.ports.filter((port) => !same.has(port)) }))
  const reached = new Set([...same, ...taken.flatMap(({ ports }) => ports)])
  // An entry without a port means the ports on which the host is already allowed.
  const ports = reached.size > 0 && wish.ports.length === 1 && wish.ports[0] === 443 ? [] : wish.ports.filter((port) => !reached.has(port))
  return [...taken, { ...wish, ports }].filter((each) => each.ports.length > 0)
}

const isRegistry = ({ source }: AllowEntry): boolean => ['npm', 'pypi', 'cargo', 'gem'].includes(source)
