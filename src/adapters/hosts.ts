import type { AllowEntry } from '../egress/policy/egress-policy.ts'

/** Returns entries for an adapter's own hosts: port 443, never an internal address. */
export function allowHosts(source: string, hosts: readonly string[]): readonly AllowEntry[] {
  return hosts.map((host) => ({ host, ports: [443], internal: false, source }))
}
