import type { Guarantee } from '../guarantee.ts'
import { hostAddressesUnreachable } from './host-addresses-unreachable.ts'
import { hostLoopbackUnreachable } from './host-loopback-unreachable.ts'
import { internalAddressesUnreachable } from './internal-addresses-unreachable.ts'
import { networkSettingsFixed } from './network-settings-fixed.ts'
import { noWayOut } from './no-way-out.ts'
import { siblingsUnreachable } from './siblings-unreachable.ts'
import { unlistedPortsRefused } from './unlisted-ports-refused.ts'

export const networkGuarantees: readonly Guarantee[] = [
  noWayOut,
  hostLoopbackUnreachable,
  hostAddressesUnreachable,
  internalAddressesUnreachable,
  siblingsUnreachable,
  unlistedPortsRefused,
  networkSettingsFixed,
]
