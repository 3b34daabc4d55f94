import type { Guarantee } from '../guarantee.ts'
import { crashLeftoversSwept } from './crash-leftovers-swept.ts'
import { killedPaddockEndsCells } from './killed-paddock-ends-cells.ts'
import { nothingLeftOnTheHost } from './nothing-left-on-the-host.ts'
import { nothingOutlivesItsCell } from './nothing-outlives-its-cell.ts'

export const endingsGuarantees: readonly Guarantee[] = [
  nothingOutlivesItsCell,
  killedPaddockEndsCells,
  nothingLeftOnTheHost,
  crashLeftoversSwept,
]
