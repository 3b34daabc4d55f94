import type { Readable } from 'node:stream'
import type { AgentAdapter } from '../adapters/adapter.ts'
import type { AgentEvent } from '../adapters/output/events.ts'
import { noSummary, type RunSummary, withEvent } from '../adapters/output/run-summary.ts'
import { transcript } from '../adapters/output/transcript.ts'
import type { Cell } from '../cell/cell.ts'
import type { CellReport } from '../cell/report.ts'

/** Where the output of an agent without a terminal goes. */
export interface HeadlessOutput {
  /** Passes standard output on as it is; what slows this down slows the agent. */
  stdout(chunks: Readable): AsyncIterable<Buffer>
  readonly stderr: {
    /** Reads standard error to its end. */
    drain(chunks: Readable): Promise<void>
    /** The newest part as text, without what came before the byte `since`. */
    tail(since?: number): string
    readonly bytes: number
  }
}

export interface HeadlessEnd {
  readonly report: CellReport
  /** What the agent reported of itself; `runOutcome` makes the outcome of both. */
  readonly summary: RunSummary
}

/** Follows an agent without a terminal to its end: its output becomes events, the same for every agent. */
export async function headless(
  cell: Cell,
  adapter: AgentAdapter,
  output: HeadlessOutput,
  onEvent: (event: AgentEvent) => Promise<void> | void,
): Promise<HeadlessEnd> {
  // Both streams get their reader at once: Node throws away what a process that ended left unread.
  const { stderr } = output
  const errors = stderr.drain(cell.stderr)
  let answered = 0
  const ended = Promise.all([cell.done, errors]).then(([{ ending }]) => {
    const code = ending.kind === 'exited' ? ending.code : null
    // A try that was repeated before the model's newest answer is not why a limit was reached.
    return { code, stderr: stderr.tail(code === null ? answered : 0) }
  })
  let summary = noSummary
  for await (const event of transcript(output.stdout(cell.stdout), adapter.parser(), ended)) {
    summary = withEvent(summary, event)
    if (event.type === 'text' || event.type === 'tool-call') answered = stderr.bytes
    await onEvent(event)
  }
  return { report: await cell.done, summary }
}
