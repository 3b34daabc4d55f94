import { environmentGuarantees } from './environment/all.ts'
import { filesGuarantees } from './files/all.ts'
import type { Guarantee } from './guarantee.ts'
import { kernelGuarantees } from './kernel/all.ts'
import { namesGuarantees } from './names/all.ts'
import { networkGuarantees } from './network/all.ts'

/** Every promise of Paddock, in the order of the document. */
export const guarantees: readonly Guarantee[] = [
  ...filesGuarantees,
  ...environmentGuarantees,
  ...networkGuarantees,
  ...namesGuarantees,
  ...kernelGuarantees,
]
