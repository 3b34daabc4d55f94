import {
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Attributes, metricsBody, type Span, tracesBody } from '../../src/telemetry/otlp-json.ts'
import { protobufOf } from '../../src/telemetry/otlp-protobuf.ts'

const source = { resource: { 'service.name': 'paddock', 'service.version': '1.2.3' }, version: '1.2.3' }
const scope = { name: 'paddock', version: '1.2.3' }
const context = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isSampled: true, state: null }

const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 })
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer(),
    // The exporter writes larger integers in JSON as integers that have no room in 64 bits.
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((each) => !Object.is(each, -0) && (!Number.isInteger(each) || Number.isSafeInteger(each))),
  ),
)
const span: fc.Arbitrary<Span> = fc.record({
  spanId: hex,
  parent: fc.option(hex),
  name: fc.string(),
  kind: fc.constantFrom('internal', 'client'),
  startedAt: fc.integer({ min: 0, max: 4e12 }),
  endedAt: fc.integer({ min: 0, max: 4e12 }),
  attributes,
  error: fc.option(fc.string({ minLength: 1 })),
})

const decoded = (bytes: Uint8Array | undefined): unknown => JSON.parse(Buffer.from(bytes ?? []).toString('utf8'))
const hexOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')
const asSent = (body: unknown): unknown => JSON.parse(JSON.stringify(body))
const time = (ms: number): [number, number] => [Math.floor(ms / 1000), (ms % 1000) * 1_000_000]
const kinds = { internal: 0, client: 2 }

/** A span in the form of the SDK of OpenTelemetry. */
function ofSdk(each: Span, resource: unknown): unknown {
  const own = { traceId: context.traceId, traceFlags: 1 }
  return {
    name: each.name,
    kind: kinds[each.kind],
    spanContext: () => ({ ...own, spanId: each.spanId }),
    ...(each.parent === null ? {} : { parentSpanContext: { ...own, spanId: each.parent } }),
    startTime: time(each.startedAt),
    endTime: time(each.endedAt),
    status: each.error === null ? { code: 0 } : { code: 2, message: each.error },
    attributes: each.attributes,
    links: [],
    events: [],
    resource,
    instrumentationScope: scope,
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  }
}

test('traces are byte for byte what the exporter of OpenTelemetry sends', () => {
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 5 }), (spans) => {
      const resource = { attributes: source.resource }
      const given = spans.map((each) => ofSdk(each, resource)) as never
      const body = tracesBody(spans, context, source)
      expect(asSent(body)).toEqual(decoded(JsonTraceSerializer.serializeRequest(given)))
      expect(hexOf(protobufOf('traces', body))).toBe(hexOf(ProtobufTraceSerializer.serializeRequest(given)))
    }),
  )
})

test.each(['delta', 'cumulative'] as const)('%s metrics are what the exporter of OpenTelemetry sends', (temporality) => {
  const bounds = [1, 4, 16]
  const during = { startedAt: 1_700_000_000_123, endedAt: 1_700_000_001_456 }
  const points = [
    { attributes: { 'gen_ai.token.type': 'input' }, values: [1, 2, 5, 17] },
    { attributes: { 'gen_ai.token.type': 'output' }, values: [0.5] },
  ]
  const counts = [
    [1, 1, 1, 1],
    [1, 0, 0, 0],
  ]
  const histogram = { name: 'gen_ai.client.token.usage', description: 'd', unit: '{token}', bounds, points }
  const given = {
    resource: { attributes: source.resource },
    scopeMetrics: [
      {
        scope,
        metrics: [
          {
            descriptor: { name: histogram.name, description: 'd', unit: '{token}', valueType: 1 },
            aggregationTemporality: temporality === 'delta' ? 0 : 1,
            dataPointType: 0,
            dataPoints: points.map(({ attributes: own, values }, index) => ({
              ...{ attributes: own, startTime: time(during.startedAt), endTime: time(during.endedAt) },
              value: {
                buckets: { boundaries: bounds, counts: counts[index] },
                ...{ count: values.length, sum: values.reduce((sum, each) => sum + each, 0) },
                ...{ min: Math.min(...values), max: Math.max(...values) },
              },
            })),
          },
        ],
      },
    ],
  } as never
  const body = metricsBody([histogram], during, temporality, source)
  expect(asSent(body)).toEqual(decoded(JsonMetricsSerializer.serializeRequest(given)))
  expect(hexOf(protobufOf('metrics', body))).toBe(hexOf(ProtobufMetricsSerializer.serializeRequest(given)))
})

test('a state of the trace is in each span, and one that is not recorded has no flag', () => {
  const body = tracesBody([{ ...example }], { ...context, isSampled: false, state: 'a=1' }, source)
  expect(asSent(body)).toMatchObject({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceState: 'a=1', flags: 256 }] }] }] })
})

const example: Span = {
  ...{ spanId: 'b7ad6b7169203331', parent: null, name: 'x', kind: 'internal', startedAt: 1, endedAt: 2, attributes: {}, error: null },
}
