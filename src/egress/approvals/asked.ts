import type { ApprovalQuestion } from '../approval.ts'
import { wireName } from '../host-pattern.ts'

/** What an answer applies to, exactly: host, port and, where one request is in question, its method and path. */
export type Asked = Pick<ApprovalQuestion, 'host' | 'port' | 'request'>

const maxPath = 4_096

/**
 * A question in the only form that is ever shown or kept: the name as it travels on the wire, the rest visible ASCII. Null for what
 * has no such form, or is longer than a human reads.
 */
export function askable({ cell, cellName, host, port, request, source }: ApprovalQuestion): ApprovalQuestion | null {
  const name = wireName(host)
  if (name === null || !Number.isInteger(port) || port < 1 || port > 65_535) return null
  const words = { cell: cell.slice(0, 100), cellName: cellName.slice(0, 200), host: name, port, source: source.slice(0, 200) }
  if (request === null) return { ...words, request }
  const path = request.path.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent)
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(request.method) || path.length === 0 || path.length > maxPath) return null
  return { ...words, request: { method: request.method, path } }
}

export function keyOf({ host, port, request }: Asked): string {
  return JSON.stringify([host, port, request === null ? null : [request.method, request.path]])
}
