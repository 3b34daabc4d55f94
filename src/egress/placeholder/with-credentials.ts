import type { AllowEntry, EgressPolicy } from '../policy/egress-policy.ts'
import { matchesPattern } from '../policy/host-pattern.ts'
import type { CellCredential } from './credential.ts'

const inspect = { rules: [], otherwise: 'allow' as const }

/**
 * Returns a policy whose entries allow swapping. Each host that a credential is bound to, or whose renewals are answered here, is inspected
 * if the policy lets the cell reach it. A credential never allows a host under `allowlist` and `off`.
 */
export function withCredentials(policy: EgressPolicy, credentials: readonly CellCredential[]): EgressPolicy {
  if (policy.mode === 'off' || credentials.length === 0) return policy
  const places = new Map<string, { readonly host: string; readonly port: number }>()
  for (const { hosts, renewal } of credentials) {
    for (const { host, port } of hosts) places.set(`${host}:${port}`, { host, port })
    if (renewal !== undefined) places.set(`${renewal.host}:443`, { host: renewal.host, port: 443 })
  }
  let entries: readonly AllowEntry[] = policy.entries
  for (const { host, port } of places.values()) entries = inspectedAt(entries, host, port, policy.mode !== 'allowlist')
  return { ...policy, entries }
}

function inspectedAt(entries: readonly AllowEntry[], host: string, port: number, reachable: boolean): readonly AllowEntry[] {
  const covers = (entry: AllowEntry): boolean => entry.ports.includes(port) && entry.endpoint === undefined
  const named = entries.filter((entry) => (entry.host === host || matchesPattern(host, entry.host)) && covers(entry))
  const seen = entries.map((entry) => (named.includes(entry) ? { ...entry, inspect: entry.inspect ?? inspect } : entry))
  if (named.some((entry) => entry.host === host)) return seen
  const wider = seen.find((entry) => covers(entry) && matchesPattern(entry.host, host.replace(/^\*/, 'any')))
  if (wider !== undefined) return [{ ...wider, host, ports: [port], inspect: wider.inspect ?? inspect }, ...seen]
  return reachable ? [{ host, ports: [port], internal: false, inspect, source: 'credential' }, ...seen] : seen
}
