import type { AuditLine } from './line.ts'
import { type OcsfClass, type OcsfRow, ocsfClasses, ocsfRows, severities } from './ocsf-classes.ts'

type Data = AuditLine['data']
type Fields = Readonly<Record<string, unknown>>

const ocsfVersion = '1.3.0'
/** The value of an activity that a class does not list; `activity_name` describes it. */
const other = 99

/**
 * Returns a line of the log as an event of the Open Cybersecurity Schema Framework 1.3. `metadata` has the line's kind (`event_code`),
 * number (`sequence`), hash (`uid`) and cell (`correlation_uid`); `unmapped` has its data without changes. `version` is that of Paddock.
 */
export function ocsfEvent(line: AuditLine, version: string): Fields {
  const { kind, cell, time, seq, hash, data } = line
  const row = Object.hasOwn(ocsfRows, kind) ? (ocsfRows[kind] ?? { of: 'base' }) : ({ of: 'base' } satisfies OcsfRow)
  const { uid, name } = ocsfClasses[row.of]
  const { id, text } = activityOf(row, line)
  const decision = decisionOf(kind, data)
  return {
    activity_id: id,
    activity_name: text,
    category_uid: Math.floor(uid / 1_000),
    class_uid: uid,
    class_name: name,
    type_uid: uid * 100 + id,
    time: Date.parse(time),
    severity_id: severities[decision === 'denied' ? 'low' : (row.severity ?? 'info')],
    ...(decision === null ? {} : { status_id: decision === 'allowed' ? 1 : 2, action_id: decision === 'allowed' ? 1 : 2 }),
    message: kind,
    metadata: {
      version: ocsfVersion,
      product: { name: 'Paddock', vendor_name: 'Paddock', version },
      event_code: kind,
      log_name: 'audit',
      original_time: time,
      sequence: seq,
      uid: hash,
      ...(cell === undefined ? {} : { correlation_uid: cell }),
      ...(decision === null ? {} : { profiles: ['security_control'] }),
    },
    ...fieldsOf[row.of](line),
    unmapped: data,
  }
}

function activityOf({ of, activity }: OcsfRow, { kind, data }: AuditLine): { readonly id: number; readonly text: string } {
  const known: Readonly<Record<string, number>> = ocsfClasses[of].activities
  const method = textOf(data, 'method')
  const text = of === 'http' && method !== null ? method.slice(0, 1).toUpperCase() + method.slice(1).toLowerCase() : (activity ?? kind)
  return { id: Object.hasOwn(known, text) ? (known[text] ?? other) : other, text }
}

/** Returns the decision of the gateway; null for an event that is not a decision. Only classes of the network have this profile. */
function decisionOf(kind: string, data: Data): 'allowed' | 'denied' | null {
  if (kind === 'egress.allow') return 'allowed'
  if (kind === 'egress.deny') return 'denied'
  if (kind === 'egress.dns') return data['decision'] === 'denied' ? 'denied' : 'allowed'
  if (kind === 'egress.request') return data['decision'] === 'deny' ? 'denied' : 'allowed'
  return null
}

/** The members that a class requires beyond those of every event. */
const fieldsOf: Readonly<Record<OcsfClass, (line: AuditLine) => Fields>> = {
  base: () => ({}),
  authentication: ({ data, actor }) => ({
    user: { name: actor ?? 'user' },
    service: { name: textOf(data, 'login') ?? textOf(data, 'agent') ?? textOf(data, 'name') ?? 'unknown' },
  }),
  network: (line) => ({ ...endpoints(line), ...trafficOf(line.data), ...durationOf(line.data) }),
  http: (line) => {
    const { data } = line
    const status = data['status']
    return {
      ...endpoints(line),
      http_request: {
        ...(textOf(data, 'method') === null ? {} : { http_method: textOf(data, 'method') }),
        url: { hostname: textOf(data, 'host') ?? '', path: textOf(data, 'path') ?? '', ...(portOf(data) ?? {}) },
      },
      ...(typeof status === 'number' && status > 0 ? { http_response: { code: status } } : {}),
      ...durationOf(data),
    }
  },
  dns: (line) => ({
    ...endpoints(line),
    query: { hostname: textOf(line.data, 'name') ?? '' },
    rcode_id: line.data['decision'] === 'denied' ? 5 : 0,
  }),
  lifecycle: ({ cell, data }) => ({
    app: { name: textOf(data, 'name') ?? 'cell', vendor_name: 'Paddock', ...(cell === undefined ? {} : { uid: cell }) },
    ...durationOf(data),
  }),
  api: (line) => ({
    actor: { user: { name: line.actor ?? 'user' }, app_name: 'paddock' },
    api: { operation: line.kind },
    src_endpoint: source(line),
  }),
}

function source({ cell }: AuditLine): Fields {
  return cell === undefined ? { name: 'host' } : { name: 'cell', uid: cell }
}

function endpoints(line: AuditLine): Fields {
  const host = textOf(line.data, 'host')
  const address = textOf(line.data, 'address')
  const there =
    host === null ? {} : { dst_endpoint: { hostname: host, ...(address === null ? {} : { ip: address }), ...portOf(line.data) } }
  return { src_endpoint: source(line), ...there }
}

function portOf(data: Data): Fields | null {
  const port = data['port']
  return typeof port === 'number' ? { port } : null
}

function trafficOf(data: Data): Fields {
  const [out, back] = [data['bytesOut'], data['bytesIn']]
  return typeof out === 'number' && typeof back === 'number' ? { traffic: { bytes_out: out, bytes_in: back, bytes: out + back } } : {}
}

function durationOf(data: Data): Fields {
  const ms = data['durationMs']
  return typeof ms === 'number' ? { duration: Math.round(ms) } : {}
}

function textOf(data: Data, key: string): string | null {
  const value = data[key]
  return typeof value === 'string' ? value : null
}
