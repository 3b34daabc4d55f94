import type { CellCredential } from '../../placeholder/credential.ts'
import { withCredentials } from '../../placeholder/with-credentials.ts'
import type { EgressPolicy } from '../../policy/egress-policy.ts'
import { inspectedHosts } from '../../requests/inspected-entries.ts'
import { type CellAuthority, makeAuthority } from './authority.ts'

/** Returns a new authority for the hosts that a policy with these credentials inspects; null if there are none. */
export function authorityOf(policy: EgressPolicy, credentials: readonly CellCredential[]): CellAuthority | null {
  const inspected = inspectedHosts(withCredentials(policy, credentials))
  return inspected.length === 0 ? null : makeAuthority(inspected)
}
