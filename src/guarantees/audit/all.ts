import type { Guarantee } from '../guarantee.ts'
import { cellsRecorded } from './cells-recorded.ts'
import { linesNotForged } from './lines-not-forged.ts'
import { logOutOfReach } from './log-out-of-reach.ts'
import { tamperingFound } from './tampering-found.ts'

export const auditGuarantees: readonly Guarantee[] = [cellsRecorded, logOutOfReach, linesNotForged, tamperingFound]
