import manifest from '../../package.json' with { type: 'json' }
import type { Telemetry } from './current-telemetry.ts'
import { type Histogram, metricsBody, type Span, tracesBody } from './otlp-json.ts'
import { sendOtlp } from './send-otlp.ts'
import type { TraceContext } from './trace-context.ts'

let isReported = false

/**
 * Sends spans, of which the first is the parent of the others, and metrics about it. Never rejects. `notice` is called with the first
 * failure of this process.
 */
export async function sendSpans(
  telemetry: Telemetry,
  notice: (line: string) => void,
  context: TraceContext,
  [first, ...others]: readonly [Span, ...Span[]],
  histograms: readonly Histogram[] = [],
): Promise<void> {
  const { settings } = telemetry
  // Each cell is reported once. Receivers of cumulative metrics add up the cells, because each is an instance of its own.
  const resource = { 'service.instance.id': first.spanId, ...settings.resource, 'service.version': manifest.version }
  const source = { resource, version: manifest.version }
  const metrics = histograms.length === 0 ? {} : { metrics: metricsBody(histograms, first, settings.temporality, source) }
  const problem = await sendOtlp(telemetry, { traces: tracesBody([first, ...others], context, source), ...metrics })
  if (problem === null || isReported) return
  isReported = true
  notice(`telemetry was not sent to ${settings.endpoint.value}: ${problem}`)
}
