import { auditGuarantees } from './audit/all.ts'
import { contestsGuarantees } from './contests/all.ts'
import { credentialsGuarantees } from './credentials/all.ts'
import { endingsGuarantees } from './endings/all.ts'
import { environmentGuarantees } from './environment/all.ts'
import { filesGuarantees } from './files/all.ts'
import type { Guarantee } from './guarantee.ts'
import { kernelGuarantees } from './kernel/all.ts'
import { laterGuarantees } from './later/all.ts'
import { limitsGuarantees } from './limits/all.ts'
import { namesGuarantees } from './names/all.ts'
import { networkGuarantees } from './network/all.ts'
import { processesGuarantees } from './processes/all.ts'
import { requestsGuarantees } from './requests/all.ts'
import { terminalGuarantees } from './terminal/all.ts'
import { trustGuarantees } from './trust/all.ts'

/** Every promise of Paddock, in the order of the document. */
export const guarantees: readonly Guarantee[] = [
  ...filesGuarantees,
  ...laterGuarantees,
  ...environmentGuarantees,
  ...processesGuarantees,
  ...networkGuarantees,
  ...namesGuarantees,
  ...requestsGuarantees,
  ...credentialsGuarantees,
  ...kernelGuarantees,
  ...limitsGuarantees,
  ...endingsGuarantees,
  ...terminalGuarantees,
  ...contestsGuarantees,
  ...auditGuarantees,
  ...trustGuarantees,
]
