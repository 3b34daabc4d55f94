import { adapterFor, adapterNames } from '../../adapters/registry.ts'
import { type Ask, asksOf } from '../../run/asks.ts'
import type { Manifest } from './schema.ts'

/** The agent of a cell in which a model's tools run. It has no login. */
const toolsOnly = 'command'

/**
 * Returns everything that the cells of a manifest's agent could get, or could send to a host of the manifest's choice, each as one line such
 * as `credentials: claude snapshot`. It does not depend on the logins and secrets that exist now. Pure.
 */
export function manifestAsks(manifest: Manifest): readonly string[] {
  const { kind, agent, command = [], provider, apiKey, baseUrl, fallbacks = [], ...cell } = manifest
  if (kind === 'model') {
    const endpoints = [{ provider, apiKey, baseUrl }, ...fallbacks]
    const keys = endpoints.flatMap((each) =>
      each.apiKey === undefined ? [] : `apiKey: ${each.apiKey} for ${each.baseUrl ?? `the endpoint of ${each.provider}`}`,
    )
    return [...keys, ...asksOf({ ...cell, credentials: 'none' }, adapterFor(toolsOnly, [])).map(plain)]
  }
  const adapter = adapterNames.includes(agent) ? adapterFor(agent, command) : null
  const own = ({ key, value }: Ask): string => (ofLogin.has(key) ? `${key}: ${agent} ${value}` : plain({ key, value }))
  return asksOf({ ...cell, ...(baseUrl === undefined ? {} : { baseUrl }) }, adapter).map(own)
}

/**
 * Returns the asks of a manifest that nobody has agreed to. `approved`: the manifest of the agent that an owner approved, or null.
 * `allowed`: `fleet.credentials` of the configuration.
 */
export function newAsks(manifest: Manifest, approved: Manifest | null, allowed: readonly string[]): readonly string[] {
  const known = new Set([...allowed, ...(approved === null ? [] : manifestAsks(approved))])
  return manifestAsks(manifest).filter((each) => !known.has(each))
}

/** The keys whose effect depends on whose login it is. */
const ofLogin: ReadonlySet<string> = new Set(['credentials', 'baseUrl', 'env'])

function plain({ key, value }: Ask): string {
  return `${key}: ${value}`
}
