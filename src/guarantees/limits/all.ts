import type { Guarantee } from '../guarantee.ts'
import { connectionsLimited } from './connections-limited.ts'
import { diskGrowthLimited } from './disk-growth-limited.ts'
import { memoryLimited } from './memory-limited.ts'
import { memoryPlacesLimited } from './memory-places-limited.ts'
import { oneFileLimited } from './one-file-limited.ts'
import { outputHeldBack } from './output-held-back.ts'
import { processesLimited } from './processes-limited.ts'
import { processorsLimited } from './processors-limited.ts'
import { silenceLimited } from './silence-limited.ts'
import { timeLimited } from './time-limited.ts'

export const limitsGuarantees: readonly Guarantee[] = [
  processesLimited,
  memoryLimited,
  memoryPlacesLimited,
  processorsLimited,
  oneFileLimited,
  diskGrowthLimited,
  timeLimited,
  silenceLimited,
  outputHeldBack,
  connectionsLimited,
]
