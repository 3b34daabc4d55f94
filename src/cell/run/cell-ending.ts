import type { CellEnding } from '../report.ts'

/** Returns the way in which a cell ended. The reason for stopping it takes precedence over its exit code. `whyNotRun`: called for exit code 126. */
export function endingOf(
  stopped: CellEnding | null,
  code: number | null,
  oomKilled: boolean,
  setupError: string,
  whyNotRun: () => string | null,
): CellEnding {
  if (stopped !== null) return stopped
  if (oomKilled && code !== 0) return { kind: 'out-of-memory' }
  if (code === null) return { kind: 'start-failed', message: setupError.trim() || 'the cell was ended from outside' }
  const why = code === 126 ? whyNotRun() : null
  return { kind: 'exited', code, ...(why === null ? {} : { why }) }
}
