import type { AllowEntry } from '../policy/egress-policy.ts'
import type { Forge } from './forge.ts'

/**
 * Returns the entries with the hosts of forges added, reachable on port 443 and inspected. An existing entry for the same host keeps its
 * settings (a pin, a question) and gets the forge's rules for inspection.
 */
export function withForges(entries: readonly AllowEntry[], forges: readonly Forge[]): readonly AllowEntry[] {
  let all = entries
  for (const { host, rules } of forges.flatMap((each) => each.hosts)) {
    const inspect = { rules, otherwise: 'deny' as const }
    const same = (entry: AllowEntry): boolean => entry.host === host && entry.ports.includes(443) && entry.endpoint === undefined
    all = all.some(same)
      ? all.map((entry) => (same(entry) ? { ...entry, inspect } : entry))
      : [...all, { host, ports: [443], internal: false, inspect, source: 'repo' }]
  }
  return all
}
