import { exitCodes } from '../../base/errors.ts'
import type { Cell } from '../../cell/cell.ts'
import { onEndSignal } from '../terminal/signals.ts'
import { say } from '../terminal/terminal-output.ts'

/** Milliseconds after Ctrl-C until the user is shown how to end a program that is still running. */
const explainAfterMs = 1_000

/**
 * Ends a cell by signals to Paddock. The first SIGINT goes to the program, the second ends the cell (SIGTERM, a pause, SIGKILL), the third
 * kills it. SIGTERM and SIGHUP end the cell at once, as does the first SIGINT if `firstIs` is `end`. One more signal then ends Paddock
 * itself. Returns a function that stops listening.
 */
export function endOnSignals(cell: Cell, firstIs: 'interrupt' | 'end' = 'interrupt'): () => void {
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
