import type { AgentEvent } from '../adapters/output/agent-events.ts'
import type { Cell } from '../cell/cell.ts'
import type { OtlpSettings } from './otlp-settings.ts'

/** The telemetry of this process. */
export interface Telemetry {
  readonly settings: OtlpSettings
  /** Returns the headers for each request. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
}

/** The trace of a running cell. */
export interface CellTrace {
  /** Adds an event of the cell's agent. */
  event(event: AgentEvent): void
  /** Delays sending after the end of the cell until the result is disposed of, because events are still being read. */
  hold(): Disposable
}

let current: Telemetry | null = null
const traces = new WeakMap<Cell, CellTrace>()
const sends = new Set<Promise<void>>()

/** Sets the telemetry of this process; null: nothing is sent. */
export function setTelemetry(next: Telemetry | null): void {
  current = next
}

export function telemetry(): Telemetry | null {
  return current
}

export function setTrace(cell: Cell, trace: CellTrace): void {
  traces.set(cell, trace)
}

/** Returns the trace of a cell; undefined if there is no telemetry. */
export function traceOf(cell: Cell): CellTrace | undefined {
  return traces.get(cell)
}

/** Remembers that something is being sent. `send` never rejects, and ends by itself. */
export function addSend(send: Promise<void>): void {
  sends.add(send)
  void send.then(() => sends.delete(send))
}

/** Waits for everything that is being sent. */
export async function sendsEnded(): Promise<void> {
  await Promise.all(sends)
}
