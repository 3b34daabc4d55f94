import type { Guarantee } from '../guarantee.ts'
import { answersCompared } from './answers-compared.ts'
import { nothingLiveLeft } from './nothing-live-left.ts'
import { submissionsDisarmed } from './submissions-disarmed.ts'

export const contestsGuarantees: readonly Guarantee[] = [submissionsDisarmed, answersCompared, nothingLiveLeft]
