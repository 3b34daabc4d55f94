import type { UpstreamProxy } from '../connection/dial.ts'
import type { InternalName, OnEgressNotice } from '../notice.ts'
import type { OwnAddresses } from '../policy/addresses.ts'
import { Allowlist } from '../policy/allowlist.ts'
import type { AllowEntry, EgressPolicy } from '../policy/egress-policy.ts'
import { isWildcard } from '../policy/host-pattern.ts'
import { dialable, type ResolvedAddress, type Resolver } from './resolver.ts'

/** Maximum number of names that are resolved before a cell uses them. */
const mostNames = 64

/**
 * Resolves the names that a policy allows, and reports those that no connection could reach. Pinned names need no resolver. Names that
 * need an answer first, and names below a wildcard, are only resolved when the cell uses them. Returns the names without an answer when
 * the signal came.
 */
export async function checkNames(
  policy: EgressPolicy,
  {
    resolver,
    own,
    notice,
    signal,
    upstream = null,
  }: {
    readonly resolver: Resolver
    readonly own: () => OwnAddresses
    readonly notice: OnEgressNotice
    readonly signal: AbortSignal
    /** The proxy, which may resolve what this machine cannot. */
    readonly upstream?: UpstreamProxy | null
  },
): Promise<readonly string[]> {
  const entries = new Map<string, AllowEntry>()
  const list = new Allowlist(policy)
  for (const each of list.entries) {
    const host = each.endpoint?.host ?? each.host
    // Another entry takes precedence, such as the user's pin over a preset.
    if (each.ports.every((port) => list.find(each.host, port) !== each)) continue
    if (each.pin !== undefined || each.ask === true || isWildcard(host) || entries.has(host)) continue
    entries.set(host, each)
  }
  // The user's own entries first.
  const names = [...entries].toSorted(([, a], [, b]) => Number(b.source === 'user') - Number(a.source === 'user')).map(([host]) => host)
  const open = new Set(names.slice(0, mostNames))
  const found = (host: string, addresses: readonly ResolvedAddress[] | null): void => {
    const entry = entries.get(host)
    if (entry === undefined || signal.aborted) return
    open.delete(host)
    if (addresses === null || addresses.length === 0) {
      const [port = 443] = entry.ports
      const isProxied = upstream !== null && upstream.target(host, port, []) !== null
      return notice(isProxied ? { kind: 'upstream-resolves', host, proxy: upstream.shown } : { kind: 'unresolvable', host })
    }
    const { allowed, refused } = dialable(addresses, entry, own())
    if (allowed.length === 0) notice(internalName(entry, refused, policy.mode))
  }
  if (names.length > 0) await lookAhead([...open], resolver, signal, found)
  return [...open]
}

async function lookAhead(
  names: readonly string[],
  resolver: Resolver,
  signal: AbortSignal,
  found: (name: string, addresses: readonly ResolvedAddress[] | null) => void,
): Promise<void> {
  if (resolver.ahead !== undefined) return resolver.ahead(names, signal, found)
  for (const each of names) {
    const addresses = await resolver.resolve(each, signal).catch(() => null)
    if (signal.aborted) return
    found(each, addresses)
  }
}

/** Returns the notice about a name that has only internal addresses. */
export function internalName(entry: AllowEntry, refused: InternalName['addresses'], mode: EgressPolicy['mode']): InternalName {
  const { endpoint } = entry
  const named = endpoint === undefined ? { host: entry.host, ports: entry.ports } : { host: endpoint.host, ports: [endpoint.port] }
  // The address of an endpoint cannot be pinned.
  const option = endpoint !== undefined ? null : mode === 'allowlist' ? '--allow' : '--inspect'
  return { kind: 'internal-address', ...named, addresses: refused, option }
}
