import type { AuditLine } from '../../audit/line.ts'
import type { AuditVerdict } from '../../audit/verify-log.ts'
import { printable } from '../../base/text.ts'

/** Returns one line of the log (time, cell, event) for a terminal of this many columns. Host names and other names come from cells. */
export function auditText(line: AuditLine, columns = Number.POSITIVE_INFINITY): string {
  const text = printable(`${line.time}  ${(line.cell ?? '-').padEnd(12)}  ${line.kind.padEnd(18)}  ${whatOf(line)}`.trimEnd())
  return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`
}

/** Returns the log of one cell, each line with the time since the first. */
export function storyText(lines: readonly AuditLine[]): readonly string[] {
  const [first] = lines
  if (first === undefined) return []
  const began = Date.parse(first.time)
  return [
    printable(`cell ${first.cell ?? ''}, ${first.time}`),
    ...lines.map((line) => {
      const seconds = ((Date.parse(line.time) - began) / 1_000).toFixed(3)
      return printable(`${`+${seconds}s`.padStart(12)}  ${line.kind.padEnd(18)}  ${whatOf(line)}`.trimEnd())
    }),
  ]
}

/** Returns a description of an event, with who caused it if that was not the user of this machine. */
function whatOf(line: AuditLine): string {
  return line.actor === undefined ? deedOf(line) : `${deedOf(line)} by ${line.actor}`
}

function deedOf({ kind, data }: AuditLine): string {
  const say = (name: string): string => {
    const value = data[name]
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  }
  const place = `${say('host')}:${say('port')}`
  switch (kind) {
    case 'cell.launch':
      return `${say('name')} · ${say('posture')} · ${say('backend')} · egress ${say('egress')} · plan ${say('plan').slice(0, 12)}${without(data['degraded'])}`
    case 'cell.limit':
      return `limit hit: ${say('limit')}`
    case 'cell.unprotected':
      return `another program removed or replaced ${say('path')}`
    case 'cell.remounted':
      return `protected ${say('path')} again after another program replaced it`
    case 'cell.end':
      return data['durationMs'] === undefined
        ? `${say('ending')}: ${say('message')}`
        : `${say('ending')}${data['code'] === undefined ? '' : ` (${say('code')})`} after ${say('durationMs')} ms · ${say('bytesOut')} bytes out, ${say('bytesIn')} in${past(data['network'])}`
    case 'egress.allow':
      return `${place} at ${say('address')} · connection ${say('connection')} · ${say('protocol')} · ${say('source')}`
    case 'egress.deny':
      return `${place} · ${say('reason')}${data['detail'] === undefined ? '' : ` (${say('detail')})`}`
    case 'egress.end':
      return `${place} · connection ${say('connection')} · ${say('bytesOut')} bytes out, ${say('bytesIn')} in · ${say('durationMs')} ms · ${say('how')}`
    case 'egress.dns':
      return `${say('name')} · ${say('decision')}${data['reason'] === undefined ? '' : ` (${say('reason')})`}`
    case 'approval.asked':
      return `${say('id')} · ${wish(data)}`
    case 'approval.answered':
      return `${say('id')} · ${wish(data)} · ${data['allowed'] === true ? 'allowed' : 'denied'} (${say('scope')}, ${say('by')})`
    default:
      return Object.entries(data)
        .map(([name]) => `${name} ${say(name)}`)
        .join(' · ')
  }
}

function wish(data: AuditLine['data']): string {
  const request = data['request'] as { method?: unknown; path?: unknown } | null | undefined
  const place = `${String(data['host'])}:${String(data['port'])}`
  return request === null || request === undefined ? place : `${String(request.method)} ${place}${String(request.path)}`
}

function without(degraded: unknown): string {
  return Array.isArray(degraded) && degraded.length > 0 ? ` · without ${degraded.join(', ')}` : ''
}

/** Returns the lines that `paddock audit verify` prints. */
export function verdictText(verdict: AuditVerdict): readonly string[] {
  const { whole, files, lines, first, head, problem, notes } = verdict
  const place =
    problem === null ? '' : problem.file === null ? '' : `${problem.file}${problem.line === null ? '' : `, line ${problem.line}`}: `
  const read =
    first === null || head === null ? 'no lines' : `${lines} lines, ${first} to ${head.seq}, in ${files} file${files === 1 ? '' : 's'}`
  return [
    whole ? `whole: ${read}` : `broken: ${place}${problem?.message ?? ''} (${problem?.kind ?? ''}); up to there: ${read}`,
    ...(head === null ? [] : [`${whole ? 'head' : 'last good line'}: ${head.seq} ${head.hash} ${head.time}`]),
    ...notes.map((note) => `note: ${note}`),
  ].map(printable)
}

/** Returns the amount of traffic that bypassed the gateway, under `public` and `open`. */
function past(network: unknown): string {
  const { bytesOut, bytesIn } = (network ?? {}) as { bytesOut?: unknown; bytesIn?: unknown }
  return typeof bytesOut === 'number' && typeof bytesIn === 'number' ? ` · past the gateway ${bytesOut} out, ${bytesIn} in` : ''
}
