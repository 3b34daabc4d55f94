import { type Ask, asksOf, reachAsksOf } from '../../run/run-asks.ts'
import type { Capabilities } from '../machine/capabilities.ts'
import type { Manifest } from './manifest-schema.ts'

/** The agents of this machine, and the variables that replace their logins. */
export type KnownAgents = readonly Pick<Capabilities['agents'][number], 'name' | 'loginVariables'>[]

/**
 * Returns everything that the cells of a manifest's agent could get, or could send to a host of the manifest's choice, and the endpoints to
 * which the host process would connect, each as one line such as `credentials: claude snapshot`; and every host that cells reach which hold
 * something of the user's. It does not depend on the logins and secrets that exist now. Pure.
 */
export function manifestAsks(manifest: Manifest, agents: KnownAgents): readonly string[] {
  const { kind, agent, command = [], provider, apiKey, baseUrl, fallbacks = [], ...cell } = manifest
  const hosts = reachAsksOf(cell).map(plain)
  if (kind === 'model') {
    const endpoints = [{ provider, apiKey, baseUrl }, ...fallbacks]
    // The host process connects to the endpoint, so the policy of the cell does not limit the address.
    const reached = endpoints.flatMap(({ provider: of, apiKey: key, baseUrl: url }) => {
      if (key !== undefined) return `apiKey: ${key} for ${url ?? `the endpoint of ${of}`}`
      return url === undefined ? [] : `baseUrl: ${url}`
    })
    // The cell of its tools has no login.
    return [...reached, ...asksOf({ ...cell, credentials: 'none' }, { name: 'command', loginVariables: null }).map(plain), ...hosts]
  }
  // An agent over ACP uses the login of the CLI that its command names.
  const [program = ''] = command
  const login = agents.find(({ name }) => name === (agent === 'acp' ? program : agent))?.loginVariables ?? null
  const whose = agent === 'acp' ? `acp ${program}` : agent
  const own = ({ key, value }: Ask): string => (ofLogin.has(key) ? `${key}: ${whose} ${value}` : plain({ key, value }))
  const asks = asksOf({ ...cell, ...(baseUrl === undefined ? {} : { baseUrl }) }, { name: agent, loginVariables: login })
  return [...asks.map(own), ...hosts]
}

/** What was agreed to without a question. */
export interface Agreed {
  /** The manifest of the agent that an owner approved, or null. */
  readonly approved: Manifest | null
  /** `fleet.credentials` of the configuration. */
  readonly allowed: readonly string[]
}

/** Returns the asks of a manifest that nobody has agreed to. */
export function newAsks(manifest: Manifest, { approved, allowed }: Agreed, agents: KnownAgents): readonly string[] {
  const known = new Set([...allowed, ...(approved === null ? [] : manifestAsks(approved, agents))])
  return manifestAsks(manifest, agents).filter((each) => !known.has(each))
}

/** The keys whose effect depends on whose login it is. */
const ofLogin: ReadonlySet<string> = new Set(['credentials', 'baseUrl', 'env'])

function plain({ key, value }: Ask): string {
  return `${key}: ${value}`
}
