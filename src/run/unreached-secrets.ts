import type { CellCredential, CredentialHost } from '../egress/placeholder/credential.ts'
import type { EgressPolicy } from '../egress/policy/egress-policy.ts'
import { matchesPattern } from '../egress/policy/host-pattern.ts'

/** Returns one line for each secret that a cell cannot use because it cannot reach any of the secret's hosts. */
export function unreachedSecrets(policy: EgressPolicy, secrets: readonly CellCredential[]): readonly string[] {
  if (policy.mode === 'public' || policy.mode === 'open') return []
  const entries = policy.mode === 'off' ? [] : policy.entries
  const isReached = ({ host, port }: CredentialHost): boolean =>
    entries.some((entry) =>
      entry.endpoint === undefined
        ? entry.ports.includes(port) && (matches(entry.host, host) || matches(host, entry.host))
        : matches(host, entry.endpoint.host),
    )
  return secrets
    .filter((each) => !each.hosts.some(isReached))
    .map(({ name, hosts }) => {
      const names = [...new Set(hosts.map((each) => each.host))]
      const [first = ''] = names
      return `$${name} goes only to ${names.join(', ')}, which this cell does not reach (--allow ${first.replace(/^\*\./, 'NAME.')})`
    })
}

function matches(pattern: string, host: string): boolean {
  return pattern === host || matchesPattern(pattern, host.replace(/^\*/, 'any'))
}
