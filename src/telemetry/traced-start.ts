import manifest from '../../package.json' with { type: 'json' }
import type { Cell, StartCell } from '../cell/cell.ts'
import type { CellReport } from '../cell/report.ts'
import { CellSpans } from './cell-spans.ts'
import { addSend, setTrace, type Telemetry } from './current-telemetry.ts'
import { metricsBody, tracesBody } from './otlp-json.ts'
import { sendOtlp } from './send-otlp.ts'
import { contextIn, newContext, variablesOf } from './trace-context.ts'

let isReported = false

/**
 * Starts the cell of an agent, and sends its trace and metrics after its end. Sending never delays or changes the cell. `notice` is called
 * with the first failure of this process.
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
  if (agent === undefined) return await start(spec, io, signal)
  const { telemetry, env, notice } = by
  const { settings } = telemetry
  const parent = contextIn(env)
  const context = newContext(parent)
  const spans = new CellSpans(agent, context, parent, settings.content)
  const cell = await start(
    { ...spec, env: { ...variablesOf(context), ...spec.env } },
    { ...io, onModelCall: (call) => spans.modelCall(call) },
    signal,
  )
  const send = async (report: CellReport): Promise<void> => {
    const { spans: all, histograms } = spans.end(report)
    const source = { resource: { ...settings.resource, 'service.version': manifest.version }, version: manifest.version }
    const during = { startedAt: Date.parse(report.startedAt), endedAt: Date.parse(report.endedAt) }
    const metrics = histograms.length === 0 ? {} : { metrics: metricsBody(histograms, during, source) }
    const problem = await sendOtlp(telemetry, { traces: tracesBody(all, context, source), ...metrics })
    if (problem === null || isReported) return
    isReported = true
    notice(`telemetry was not sent to ${settings.endpoint.value}: ${problem}`)
  }
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
      await send(report)
    })
    addSend(ended.catch(() => undefined))
  }
  return cell
}
