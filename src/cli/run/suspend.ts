import type { Cell } from '../../cell/cell.ts'

/** Milliseconds between two checks whether the program in the cell's terminal is stopped. */
const lookEveryMs = 150
/** Milliseconds until Paddock continues after it stopped itself. The time does not run while it is stopped. */
const stoppingMs = 50

/**
 * Stops Paddock, with everything in its job, while the program in the foreground of the cell's terminal is stopped, so that the user's shell
 * can continue both (fg). The rest of the cell is stopped first, because a stopped Paddock cannot enforce the limits that it measures
 * itself. If that fails, or nothing stops Paddock (there is no shell above: orphaned process groups in setpgid(2)), the program continues
 * at once. Returns a function that ends the checks.
 */
export function followStops(cell: Cell, terminal: { giveBack(): void; take(): void }): () => void {
  let going: NodeJS.Timeout | null = null
  let isLooking = false
  let isOver = false
  const look = async (): Promise<void> => {
    if (!(await cell.isStopped()) || isOver) return
    if (!(await cell.freeze())) return await cell.goOn()
    if (isOver) return await cell.goOn()
    terminal.giveBack()
    process.kill(0, 'SIGTSTP')
    going = setTimeout(() => {
      going = null
      terminal.take()
      void cell.goOn()
    }, stoppingMs)
  }
  const timer = setInterval(() => {
    if (going !== null || isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, lookEveryMs).unref()
  return () => {
    isOver = true
    clearInterval(timer)
    if (going !== null) clearTimeout(going)
  }
}
