import type { Guarantee } from '../guarantee.ts'
import { hostFilesAbsent } from './host-files-absent.ts'

export const filesGuarantees: readonly Guarantee[] = [hostFilesAbsent]
