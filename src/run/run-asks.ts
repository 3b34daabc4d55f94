import type { AgentAdapter } from '../adapters/adapter.ts'
import { defaultPosture, isHigher } from '../base/posture.ts'
import type { RequestInput } from '../config/request/request-schema.ts'

/** Something of the user, or of the user's network, that a request of somebody else would give to a cell. */
export interface Ask {
  /** The key in the file, such as `participants[0].env`. */
  readonly key: string
  readonly value: string
}

/** What asks depend on, of an agent. */
export interface AskedAgent {
  readonly name: string
  /** The variables that give the agent a key of its own, so that it needs no login; null if it has no login. */
  readonly loginVariables: readonly string[] | null
}

/** Returns what asks depend on. */
export function askedAgent(adapter: Pick<AgentAdapter, 'name' | 'credentials'>): AskedAgent {
  const sources = adapter.credentials('/')
  const variables = sources.flatMap((source) => (source.kind === 'env' ? [source.name] : []))
  return { name: adapter.name, loginVariables: sources.length === 0 ? null : variables }
}

/** Variables that make no program load, run or obey anything. */
const harmless = /^(TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|TZ|LANG|LANGUAGE|LC_[A-Z]+)$/

/**
 * Returns everything that a cell could get by a request: variables, secrets, tokens, a real credential inside the cell, a credential for a
 * host that is not its vendor's, a policy beyond the allowlist, addresses in the user's network, and variables by which programs in the cell
 * can use the login without the agent, and an isolation level below the default, at which it sees the user's files. It does not depend on whether the user has a login now. Pure. Null: an unknown agent.
 */
export function asksOf(
  { env = [], secrets = [], repos = [], credentials, baseUrl, egress = {}, posture = defaultPosture }: RequestInput,
  agent: AskedAgent | null,
): readonly Ask[] {
  const isInCell = credentials === 'snapshot' || credentials?.startsWith('volume') === true
  const usesCredential = agent?.name !== 'command' && credentials !== 'none'
  const login = agent?.loginVariables ?? null
  const hasOwnKey = login?.some((name) => env.some((each) => each.startsWith(`${name}=`))) === true
  const usesLogin = usesCredential && login !== null && !hasOwnKey
  const pins = [...(egress.allow ?? []), ...(egress.ask ?? []), ...(egress.inspect ?? [])].map(String).filter((each) => each.includes('='))
  const isWide = egress.policy === 'open' || egress.policy === 'public'
  const all = (key: string, values: readonly unknown[]): Ask[] => values.map((value) => ({ key, value: String(value) }))
  return [
    ...all(
      'env',
      env.filter((each) => !each.includes('=') || (usesLogin && !harmless.test(each.slice(0, each.indexOf('='))))),
    ),
    ...all('secrets', secrets),
    ...all('repos', repos),
    ...(isInCell ? all('credentials', [credentials]) : []),
    ...(baseUrl !== undefined && usesCredential ? all('baseUrl', [baseUrl]) : []),
    ...(isWide ? all('egress.policy', [egress.policy]) : []),
    ...all('egress', pins),
    ...(isHigher(defaultPosture, posture) ? all('posture', [posture]) : []),
  ]
}

/**
 * Returns everything that a cell could send data to, if it holds something of the user's that it could send: variables, a real credential, or
 * at a level below the default the user's files. Who agreed to give it that did not agree to send it anywhere else. Pure.
 */
export function reachAsksOf({ env = [], credentials, baseUrl, egress = {}, posture = defaultPosture }: RequestInput): readonly Ask[] {
  const isInCell = credentials === 'snapshot' || credentials?.startsWith('volume') === true
  if (!isInCell && !isHigher(defaultPosture, posture) && env.every((each) => each.includes('='))) return []
  const keys = ['allow', 'ask', 'inspect', 'presets', 'rules'] as const
  return [
    ...keys.flatMap((key) => (egress[key] ?? []).map((value) => ({ key: `egress.${key}`, value: String(value) }))),
    ...(baseUrl === undefined ? [] : [{ key: 'baseUrl', value: baseUrl }]),
  ]
}
