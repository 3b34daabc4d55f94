import type { Guarantee } from '../guarantee.ts'
import { inputIsReadOnly } from './input-is-read-only.ts'
import { keysStayInTheCell } from './keys-stay-in-the-cell.ts'
import { noTerminalOfYours } from './no-terminal-of-yours.ts'
import { ownLinesClean } from './own-lines-clean.ts'

export const terminalGuarantees: readonly Guarantee[] = [noTerminalOfYours, keysStayInTheCell, inputIsReadOnly, ownLinesClean]
