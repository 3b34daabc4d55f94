import type { Guarantee } from '../guarantee.ts'
import { environmentScrubbed } from './environment-scrubbed.ts'

export const environmentGuarantees: readonly Guarantee[] = [environmentScrubbed]
