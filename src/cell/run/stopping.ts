import type { AuditSink } from '../../audit/event.ts'
import type { BackendCell } from '../backend.ts'
import type { CellEnding } from '../report.ts'
import type { StopReason } from './watch-cell.ts'

/** Ends one cell, and records the reason and the signals. */
export class Stopping {
  readonly #cell: BackendCell
  readonly #note: (kind: 'cell.limit' | 'cell.unprotected', data: Readonly<Record<string, string>>) => void
  readonly #graceMs: number
  readonly #ladder: string[] = []
  #ending: CellEnding | null = null

  constructor(cell: BackendCell, id: string, audit: AuditSink, graceMs: number) {
    this.#cell = cell
    this.#note = (kind, data) => audit({ kind, cell: id, data })
    this.#graceMs = graceMs
  }

  /** Returns the reason for ending the cell. Null if it has not been ended. */
  get ending(): CellEnding | null {
    return this.#ending
  }

  /** Returns the signals that were sent, in order. */
  get ladder(): readonly string[] {
    return this.#ladder
  }

  /** Sends TERM, waits, and sends KILL. Does not wait if the memory limit is exceeded, because usage would grow meanwhile. */
  stop(reason: StopReason): void {
    if (this.#ending !== null) return
    this.#ending = { kind: reason }
    if (reason !== 'cancelled') this.limitHit(reason)
    this.#ladder.push('SIGTERM')
    this.#cell.terminate()
    const kill = setTimeout(() => this.#kill(), reason === 'out-of-memory' ? 0 : this.#graceMs)
    const clear = (): void => clearTimeout(kill)
    this.#cell.exited.then(clear, clear)
  }

  /** Notes that another process ended the cell on request. */
  wasStopped(): void {
    this.#ending ??= { kind: 'cancelled' }
  }

  kill(): void {
    this.#ending ??= { kind: 'cancelled' }
    this.#kill()
  }

  /** Kills at once, because the cell could use any grace period to write to the path. */
  endUnprotected(file: string): void {
    if (this.#ending !== null) return
    this.#ending = { kind: 'unprotected', path: file }
    this.#note('cell.unprotected', { path: file })
    this.#kill()
  }

  limitHit(limit: string): void {
    this.#note('cell.limit', { limit })
  }

  #kill(): void {
    this.#ladder.push('SIGKILL')
    this.#cell.kill()
  }
}
