import { constants } from 'node:os'
import { exitCodes } from '../../base/errors.ts'
import type { Cell } from '../../cell/cell.ts'
import type { CellReport } from '../../cell/report.ts'
import { type EndSignal, onEndSignal } from '../terminal/signals.ts'
import { say } from '../terminal/terminal-output.ts'

/** Milliseconds after Ctrl-C until the user is shown how to end a program that is still running. */
const explainAfterMs = 1_000

/**
 * Ends a cell by signals to Paddock. The first SIGINT goes to the program, the second ends the cell (SIGTERM, a pause, SIGKILL), the third
 * kills it. SIGTERM and SIGHUP end the cell at once, as does the first SIGINT if `firstIs` is `end`. One more signal then ends Paddock
 * itself. With `passed`, every SIGINT goes to the program (`passSignals`). Returns a function that stops listening.
 */
export function endOnSignals(cell: Cell, firstIs: 'interrupt' | 'end' | 'passed' = 'interrupt'): () => void {
  if (firstIs === 'passed') return passSignals(cell)
  let step = firstIs === 'end' ? 1 : 0
  let explain: NodeJS.Timeout | undefined
  const unlisten = onEndSignal((signal) => {
    clearTimeout(explain)
    step = signal === 'SIGINT' ? step + 1 : Math.max(2, step + 1)
    if (step === 1) {
      cell.interrupt()
      explain = setTimeout(() => say('the program was interrupted and keeps running; press Ctrl-C again to end the cell'), explainAfterMs)
    } else if (step === 2) cell.stop('cancelled')
    else if (step === 3) cell.kill()
    else process.exit(exitCodes.cancelled)
  })
  return () => {
    clearTimeout(explain)
    unlisten()
  }
}

/** The signals that this process got, newest last, if it passes them on. */
const passed: EndSignal[] = []

/**
 * Passes signals on, as if the cell's program had this process's place: each SIGINT goes to the program. SIGTERM and SIGHUP end the cell
 * (SIGTERM, a pause, SIGKILL); one more kills it, and one more then ends Paddock itself.
 */
function passSignals(cell: Cell): () => void {
  let ends = 0
  return onEndSignal((signal) => {
    passed.push(signal)
    if (signal === 'SIGINT') return cell.interrupt()
    ends += 1
    if (ends === 1) cell.stop('cancelled')
    else if (ends === 2) cell.kill()
    else process.exit(exitCodes.cancelled)
  })
}

/** Returns the signal that ended a cell which passes signals on; null: it ended in another way. */
export function signalThatEnded({ ending }: Pick<CellReport, 'ending'>): EndSignal | null {
  const last = passed.at(-1)
  if (last === undefined) return null
  if (ending.kind === 'cancelled') return passed.findLast((each) => each !== 'SIGINT') ?? last
  return ending.kind === 'exited' && ending.code === 128 + constants.signals[last] ? last : null
}
