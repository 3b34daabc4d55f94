import type { Readable } from 'node:stream'
import type { AgentAdapter } from '../adapters/adapter.ts'
import type { AgentEvent } from '../adapters/output/agent-events.ts'
import { transcript } from '../adapters/output/parse-transcript.ts'
import { noSummary, type RunSummary, withEvent } from '../adapters/output/run-summary.ts'
import type { Cell } from '../cell/cell.ts'
import type { CellReport } from '../cell/report.ts'
import { traceOf } from '../telemetry/current-telemetry.ts'

/** The destination for the output of an agent without a terminal. */
export interface HeadlessOutput {
  /** Passes standard output on unchanged. A slow reader slows the agent. */
  stdout(chunks: Readable): AsyncIterable<Buffer>
  readonly stderr: {
    /** Reads standard error to its end. */
    drain(chunks: Readable): Promise<void>
    /** Returns the newest part as text, but nothing before the byte `since`. */
    tail(since?: number): string
    readonly bytes: number
  }
}

export interface HeadlessEnd {
  readonly report: CellReport
  /** The agent's report about itself. `runOutcome` combines it with the cell's report. */
  readonly summary: RunSummary
}

/** Follows an agent without a terminal to its end. Its output is turned into events that have the same form for every agent. */
export async function headless(
  cell: Cell,
  adapter: AgentAdapter,
  output: HeadlessOutput,
  onEvent: (event: AgentEvent) => Promise<void> | void,
): Promise<HeadlessEnd> {
  const trace = traceOf(cell)
  using _held = trace?.hold()
  // Both streams get a reader at once, because Node discards unread output of a process that has ended.
  const { stderr } = output
  const errors = stderr.drain(cell.stderr)
  let answered = 0
  const ended = Promise.all([cell.done, errors]).then(([{ ending }]) => {
    const code = ending.kind === 'exited' ? ending.code : null
    // Standard error from before the model's newest answer does not explain why a limit was reached.
    return { code, stderr: stderr.tail(code === null ? answered : 0) }
  })
  let summary = noSummary
  for await (const event of transcript(output.stdout(cell.stdout), await adapter.parser(), ended)) {
    summary = withEvent(summary, event)
    trace?.event(event)
    if (event.type === 'text' || event.type === 'reasoning' || event.type === 'tool-call') answered = stderr.bytes
    await onEvent(event)
  }
  return { report: await cell.done, summary }
}
