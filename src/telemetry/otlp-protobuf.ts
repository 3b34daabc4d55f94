/** The kinds of fields. `id`: bytes as hexadecimal text. `packed`: all numbers of a list in one field. */
type Kind = 'text' | 'id' | 'bool' | 'varint' | 'fixed32' | 'fixed64' | 'double' | 'packed fixed64' | 'packed double' | Message
/** The fields of a message by their names in the JSON form, in the order of their numbers. Lists of other kinds repeat the field. */
type Message = ReadonlyMap<string, readonly [number: number, kind: Kind]>

const message = (fields: Readonly<Record<string, readonly [number, Kind]>>): Message => new Map(Object.entries(fields))

// https://github.com/open-telemetry/opentelemetry-proto, without fields that are never sent.
const anyValue = message({ stringValue: [1, 'text'], boolValue: [2, 'bool'], intValue: [3, 'varint'], doubleValue: [4, 'double'] })
const keyValue = message({ key: [1, 'text'], value: [2, anyValue] })
const resource = message({ attributes: [1, keyValue], droppedAttributesCount: [2, 'varint'] })
const scope = message({ name: [1, 'text'], version: [2, 'text'] })
const span = message({
  traceId: [1, 'id'],
  spanId: [2, 'id'],
  traceState: [3, 'text'],
  parentSpanId: [4, 'id'],
  name: [5, 'text'],
  kind: [6, 'varint'],
  startTimeUnixNano: [7, 'fixed64'],
  endTimeUnixNano: [8, 'fixed64'],
  attributes: [9, keyValue],
  droppedAttributesCount: [10, 'varint'],
  droppedEventsCount: [12, 'varint'],
  droppedLinksCount: [14, 'varint'],
  status: [15, message({ message: [2, 'text'], code: [3, 'varint'] })],
  flags: [16, 'fixed32'],
})
const point = message({
  startTimeUnixNano: [2, 'fixed64'],
  timeUnixNano: [3, 'fixed64'],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  bucketCounts: [6, 'packed fixed64'],
  explicitBounds: [7, 'packed double'],
  attributes: [9, keyValue],
  min: [11, 'double'],
  max: [12, 'double'],
})
const histogram = message({ dataPoints: [1, point], aggregationTemporality: [2, 'varint'] })
const metric = message({ name: [1, 'text'], description: [2, 'text'], unit: [3, 'text'], histogram: [9, histogram] })
const requests = {
  traces: message({
    resourceSpans: [1, message({ resource: [1, resource], scopeSpans: [2, message({ scope: [1, scope], spans: [2, span] })] })],
  }),
  metrics: message({
    resourceMetrics: [1, message({ resource: [1, resource], scopeMetrics: [2, message({ scope: [1, scope], metrics: [2, metric] })] })],
  }),
}

/** Encodes a request, given in its JSON form, as a protocol buffer (https://protobuf.dev/programming-guides/encoding/). */
export function protobufOf(path: keyof typeof requests, body: unknown): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytesOf(requests[path], body))
}

function bytesOf(fields: Message, value: unknown): Buffer {
  const chunks: Buffer[] = []
  for (const [name, [number, kind]] of fields) {
    const each = (value as Readonly<Record<string, unknown>>)[name]
    if (each === undefined) continue
    const isRepeated = Array.isArray(each) && !(typeof kind === 'string' && kind.startsWith('packed'))
    for (const one of isRepeated ? each : [each]) chunks.push(...fieldOf(number, kind, one))
  }
  return Buffer.concat(chunks)
}

function fieldOf(number: number, kind: Kind, value: unknown): readonly Buffer[] {
  const tag = (wireType: number): Buffer => varint(BigInt(number * 8 + wireType))
  const sized = (bytes: Buffer): readonly Buffer[] => [tag(2), varint(BigInt(bytes.length)), bytes]
  switch (kind) {
    case 'text':
      return sized(Buffer.from(String(value)))
    case 'id':
      return sized(Buffer.from(String(value), 'hex'))
    case 'bool':
    case 'varint':
      return [tag(0), varint(BigInt(value as number | boolean))]
    case 'fixed32':
      return [tag(5), fixed(4, (bytes) => bytes.writeUInt32LE(Number(value)))]
    case 'fixed64':
      return [tag(1), fixed64(value)]
    case 'double':
      return [tag(1), double(value)]
    case 'packed fixed64':
      return sized(Buffer.concat((value as readonly unknown[]).map(fixed64)))
    case 'packed double':
      return sized(Buffer.concat((value as readonly unknown[]).map(double)))
    default:
      return sized(bytesOf(kind, value))
  }
}

function fixed(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}

const fixed64 = (value: unknown): Buffer => fixed(8, (bytes) => bytes.writeBigUInt64LE(BigInt(value as string | number)))
const double = (value: unknown): Buffer => fixed(8, (bytes) => bytes.writeDoubleLE(Number(value)))

/** Negative numbers are those of 64 bits. */
function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}
