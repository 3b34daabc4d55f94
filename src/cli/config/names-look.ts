import { checkNames } from '../../egress/dns/names-ahead.ts'
import { hostResolver } from '../../egress/dns/resolver.ts'
import type { InternalName } from '../../egress/notice.ts'
import { ownAddresses } from '../../egress/policy/addresses.ts'
import type { AllowEntry } from '../../egress/policy/egress-policy.ts'
import { wayOut } from '../../egress/upstream/way-out.ts'

/** What the names of allowed hosts mean on this machine, for a cell. */
export interface NamesLook {
  /** Names that do not resolve, or not in time. */
  readonly unresolvable: readonly string[]
  readonly internal: readonly InternalName[]
}

/** Longest time for all lookups together, in milliseconds. Without a network, a resolver may take longer to give up. */
const patienceMs = 5_000

/** Looks up the names of an allowlist as the gateway of a cell does. Pinned names are not looked up. Nothing is connected to. */
export async function lookUpNames(entries: readonly AllowEntry[], env: NodeJS.ProcessEnv): Promise<NamesLook> {
  const unresolvable: string[] = []
  const internal: InternalName[] = []
  const open = await checkNames(
    { mode: 'allowlist', entries },
    {
      resolver: hostResolver({ env }),
      upstream: wayOut().upstream,
      own: ownAddresses,
      signal: AbortSignal.timeout(patienceMs),
      notice: (each) => {
        if (each.kind === 'unresolvable') unresolvable.push(each.host)
        if (each.kind === 'internal-address') internal.push(each)
      },
    },
  )
  return { unresolvable: [...unresolvable, ...open], internal }
}
