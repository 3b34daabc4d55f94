import type * as Firewall from '../../../src/cell/network/firewall.ts'
import { replace, type Sabotage } from './sabotage.ts'

const withoutFilter = (): void =>
  replace<typeof Firewall>('cell/network/firewall.ts', () => ({ firewall: () => 'table inet paddock { }\n' }))

/** Sabotages that let packets out, so they run only in the lab. */
export const publicSabotages: readonly Sabotage[] = [
  { id: 'internal-addresses-unreachable', without: 'the packet filter', egress: 'public', break: withoutFilter },
  { id: 'host-addresses-unreachable', without: 'the packet filter', egress: 'public', break: withoutFilter },
  { id: 'host-loopback-unreachable', without: 'the packet filter', egress: 'open', break: withoutFilter },
  { id: 'names-only-through-the-gateway', without: 'the packet filter', egress: 'public', break: withoutFilter },
]
