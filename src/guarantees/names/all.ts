import type { Guarantee } from '../guarantee.ts'
import { deniedNamesNotResolved } from './denied-names-not-resolved.ts'
import { hostHeaderMustMatch } from './host-header-must-match.ts'
import { internalNamesRefused } from './internal-names-refused.ts'
import { namesOnlyThroughGateway } from './names-only-through-gateway.ts'
import { rebindingRefused } from './rebinding-refused.ts'
import { serverNameMustMatch } from './server-name-must-match.ts'

export const namesGuarantees: readonly Guarantee[] = [
  deniedNamesNotResolved,
  internalNamesRefused,
  rebindingRefused,
  serverNameMustMatch,
  hostHeaderMustMatch,
  namesOnlyThroughGateway,
]
