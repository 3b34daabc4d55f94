import type { Cell, StartCell } from '../cell/cell.ts'
import type { CellAgent } from '../cell/plan/spec.ts'
import { CellSpans } from './cell-spans.ts'
import { addSend, setTrace, type Telemetry } from './current-telemetry.ts'
import { sendSpans } from './send-spans.ts'
import { newContext, variablesOf } from './trace-context.ts'
import { currentWork, parentSpan } from './work-span.ts'

/** Stands for the agent of a cell without one, such as a check. */
const noAgent: CellAgent = { name: 'command', family: 'none', version: null, model: null }

/**
 * Starts the cell of an agent, or a cell of the current work, and sends its trace and metrics after its end. Sending never delays or changes
 * the cell. `notice` is called with the first failure of this process. Only agents get the variables of the trace, because the result of a
 * check must not depend on them.
 */
export async function tracedStart(
  start: StartCell,
  by: {
    readonly telemetry: Telemetry
    readonly env: Readonly<Record<string, string | undefined>>
    readonly notice: (line: string) => void
  },
  ...[spec, io, signal]: Parameters<StartCell>
): Promise<Cell> {
  const { agent } = spec
  if (agent === undefined && currentWork() === null) return await start(spec, io, signal)
  const { telemetry, env, notice } = by
  const parent = parentSpan(env)
  const context = newContext(parent)
  const spans = new CellSpans(agent ?? noAgent, context, parent, telemetry.settings.content)
  const cell = await start(
    agent === undefined ? spec : { ...spec, env: { ...variablesOf(context), ...spec.env } },
    { ...io, onModelCall: (call) => spans.modelCall(call) },
    signal,
  )
  const held = new Set<Promise<void>>()
  setTrace(cell, {
    event: (event) => spans.event(event),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.add(promise)
      return { [Symbol.dispose]: () => resolve() }
    },
  })
  // The first program of a trace decides whether it is recorded.
  if (context.isSampled) {
    const ended = cell.done.then(async (report) => {
      await Promise.all(held)
      const { spans: all, histograms } = spans.end(report)
      await sendSpans(telemetry, notice, context, all, histograms)
    })
    addSend(ended.catch(() => undefined))
  }
  return cell
}
