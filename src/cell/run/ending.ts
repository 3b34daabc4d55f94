import type { CellEnding } from '../report.ts'

const signals = new Map([
  [129, 'SIGHUP'],
  [130, 'SIGINT'],
  [131, 'SIGQUIT'],
  [132, 'SIGILL'],
  [134, 'SIGABRT'],
  [135, 'SIGBUS'],
  [136, 'SIGFPE'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [141, 'SIGPIPE'],
  [143, 'SIGTERM'],
  [153, 'SIGXFSZ'],
])

/** How a cell ended: what stopped it goes before what its exit code says (128 + n for signal n, as shells have it). */
export function endingOf(stopped: CellEnding | null, code: number | null, oomKilled: boolean, setupError: string): CellEnding {
  if (stopped !== null) return stopped
  if (oomKilled && code !== 0) return { kind: 'out-of-memory' }
  if (code === null) return { kind: 'start-failed', message: setupError.trim() || 'the cell was ended from outside' }
  const signal = signals.get(code)
  return signal === undefined ? { kind: 'exited', code } : { kind: 'signalled', signal, code }
}
