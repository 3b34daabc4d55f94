import type { TraceContext } from './trace-context.ts'

/** The value of an attribute. Undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** `internal`: work of this process or the cell. `client`: a request to another host. The numbers are those of the protocol. */
const kinds = { internal: 1, client: 3 } as const

export interface Span {
  readonly spanId: string
  /** Null: the first span of a trace. */
  readonly parent: string | null
  readonly name: string
  readonly kind: keyof typeof kinds
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  /** What failed; null: nothing did. */
  readonly error: string | null
}

/** Values of one operation, with the same attributes. */
export interface HistogramPoint {
  readonly attributes: Attributes
  readonly values: readonly number[]
}

export interface Histogram {
  readonly name: string
  readonly description: string
  readonly unit: string
  /** The upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[]
  readonly points: readonly HistogramPoint[]
}

/** The origin of everything that is sent. */
export interface Source {
  readonly resource: Attributes
  readonly version: string
}

const scope = ({ version }: Source) => ({ name: 'paddock', version })
const resourceOf = ({ resource }: Source) => ({ attributes: keyValues(resource), droppedAttributesCount: 0 })

/**
 * Returns the body of a request to /v1/traces, in the JSON form of OTLP: ids are hexadecimal, and times are decimal text
 * (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
 */
export function tracesBody(spans: readonly Span[], { traceId, isSampled, state }: TraceContext, source: Source): unknown {
  const flags = (isSampled ? 1 : 0) | hasRemoteFlag
  const all = spans.map(({ spanId, parent, name, kind, startedAt, endedAt, attributes, error }) => ({
    traceId,
    spanId,
    ...(parent === null ? {} : { parentSpanId: parent }),
    ...(state === null ? {} : { traceState: state }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: keyValues(attributes),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    status: error === null ? { code: 0 } : { code: 2, message: error },
    links: [],
    droppedLinksCount: 0,
    flags,
  }))
  return { resourceSpans: [{ resource: resourceOf(source), scopeSpans: [{ scope: scope(source), spans: all }] }] }
}

/** The bit that says that the protocol's flag for a parent in another process is known. */
const hasRemoteFlag = 0x100
/** `cumulative`: values since the start of what is reported. `delta`: values since the last request. The numbers are those of the protocol. */
const temporalities = { delta: 1, cumulative: 2 } as const
export type Temporality = keyof typeof temporalities

/** Returns the body of a request to /v1/metrics. Times are milliseconds since the epoch. */
export function metricsBody(
  histograms: readonly Histogram[],
  during: Pick<Span, 'startedAt' | 'endedAt'>,
  temporality: Temporality,
  source: Source,
): unknown {
  const [startTimeUnixNano, timeUnixNano] = [nanoseconds(during.startedAt), nanoseconds(during.endedAt)]
  const metrics = histograms.map(({ name, description, unit, bounds, points }) => ({
    name,
    description,
    unit,
    histogram: {
      aggregationTemporality: temporalities[temporality],
      dataPoints: points.map(({ attributes, values }) => ({
        attributes: keyValues(attributes),
        bucketCounts: countsIn(bounds, values),
        explicitBounds: bounds,
        count: values.length,
        sum: values.reduce((sum, each) => sum + each, 0),
        min: Math.min(...values),
        max: Math.max(...values),
        startTimeUnixNano,
        timeUnixNano,
      })),
    },
  }))
  return { resourceMetrics: [{ resource: resourceOf(source), scopeMetrics: [{ scope: scope(source), metrics }] }] }
}

/** A bucket includes its upper bound. The last bucket is unbounded. */
function countsIn(bounds: readonly number[], values: readonly number[]): readonly number[] {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  for (const value of values) {
    const at = bounds.findIndex((bound) => value <= bound)
    const index = at === -1 ? bounds.length : at
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}

function keyValues(attributes: Attributes): readonly unknown[] {
  return Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]))
}

function anyValue(value: string | number | boolean): unknown {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value }
}

/** A number cannot hold nanoseconds since the epoch. */
function nanoseconds(ms: number): string {
  return `${BigInt(Math.trunc(ms)) * 1_000_000n + BigInt(Math.round((ms % 1) * 1_000_000))}`
}
