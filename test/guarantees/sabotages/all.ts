import { auditSabotages } from './audit.ts'
import { contestsSabotages } from './contests.ts'
import { credentialsSabotages } from './credentials.ts'
import { endingsSabotages } from './endings.ts'
import { environmentSabotages } from './environment.ts'
import { filesSabotages } from './files.ts'
import { fleetSabotages } from './fleet.ts'
import { kernelSabotages } from './kernel.ts'
import { laterSabotages } from './later.ts'
import { limitsSabotages } from './limits.ts'
import { namesSabotages } from './names.ts'
import { networkSabotages } from './network.ts'
import { processesSabotages } from './processes.ts'
import { requestsSabotages } from './requests.ts'
import type { Sabotage } from './sabotage.ts'
import { terminalSabotages } from './terminal.ts'
import { trustSabotages } from './trust.ts'

/** Every sabotage that needs no internet, in the order of the documentation. */
export const sabotages: readonly Sabotage[] = [
  ...filesSabotages,
  ...laterSabotages,
  ...processesSabotages,
  ...environmentSabotages,
  ...networkSabotages,
  ...namesSabotages,
  ...kernelSabotages,
  ...limitsSabotages,
  ...endingsSabotages,
  ...terminalSabotages,
  ...contestsSabotages,
  ...auditSabotages,
  ...requestsSabotages,
  ...credentialsSabotages,
  ...trustSabotages,
  ...fleetSabotages,
]
