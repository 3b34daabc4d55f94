import type { operations } from '../../../src/client/api.ts'
import { type Answer, decidedBy } from './decided-by.ts'

export type AuditLine = operations['readAudit']['responses']['200']['content']['application/json']['items'][number]

/** One decision of a gateway, as a row of the table. */
export interface Decision {
  readonly seq: number
  readonly at: string
  readonly decision: 'allowed' | 'denied'
  readonly host: string
  readonly port: number | null
  /** The request, if the host is inspected. */
  readonly request: string | null
  /** The agent of the cell, or null. */
  readonly agent: string | null
  readonly cellName: string | null
  readonly job: string | null
  readonly by: string
}

/** The kinds of audit lines that decisions are derived from. */
export const decisionKinds = 'egress.allow,egress.deny,egress.request,egress.dns,approval.answered,fleet.approval'

/** Returns the decisions in lines of the log. The lines are oldest first, the decisions newest first. */
export function decisionsIn(lines: readonly AuditLine[]): readonly Decision[] {
  const actors = new Map(
    lines.flatMap(({ kind, actor, data }) => (kind === 'fleet.approval' && actor !== undefined ? [[String(data['approval']), actor]] : [])),
  )
  const answers = new Map<string, Answer>()
  const found: Decision[] = []
  for (const line of lines) {
    const { data, cell } = line
    const key = `${cell} ${String(data['host'])}:${String(data['port'])}`
    if (line.kind === 'approval.answered') {
      const id = String(data['id'] ?? '')
      const [scope, by] = [String(data['scope']), String(data['by'])]
      answers.set(key, { id, allowed: data['allowed'] === true, scope, by, actor: actors.get(id) ?? null })
    } else {
      const decision = decisionOf(line, answers.get(key) ?? null)
      if (decision !== null) found.push(decision)
    }
  }
  return found.reverse()
}

function decisionOf(line: AuditLine, answer: Answer | null): Decision | null {
  const { kind, data, origin } = line
  const isRequest = kind === 'egress.request'
  const isDns = kind === 'egress.dns'
  const decision = kind === 'egress.allow' || data['decision'] === 'allow' || data['decision'] === 'allowed' ? 'allowed' : 'denied'
  // Permission to resolve a name is not a connection yet. A request says more than the connection that carried it.
  if (!['egress.allow', 'egress.deny'].includes(kind) && !isRequest && !(isDns && decision === 'denied')) return null
  if (kind === 'egress.allow' && data['inspected'] === true) return null
  return {
    seq: line.seq,
    at: line.time,
    decision,
    host: String(data[isDns ? 'name' : 'host'] ?? ''),
    port: typeof data['port'] === 'number' ? data['port'] : null,
    request: isRequest ? `${String(data['method'])} ${String(data['path'])}` : null,
    agent: origin?.agent ?? null,
    cellName: origin?.name ?? null,
    job: origin?.job ?? null,
    by: decidedBy({ data, isOfFleet: origin?.agent != null, answer }),
  }
}
