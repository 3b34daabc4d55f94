import { hash } from 'node:crypto'
import { wireName } from '../policy/host-pattern.ts'
import type { ApprovalQuestion } from './approval.ts'

/** A request as a question contains it: the query as a hash, and the part of the query that is shown to a human. */
export interface ReadableRequest {
  readonly method: string
  readonly path: string
  /** SHA-256 of the whole query, in hexadecimal. */
  readonly querySha256?: string | undefined
  /** At most 200 characters of the query, with a mark if it was cut. */
  readonly queryShown?: string | undefined
}

/** A question in the only form that is ever shown. */
export type Readable = Omit<ApprovalQuestion, 'request'> & { readonly request: ReadableRequest | null }

/** Exactly what an answer applies to: host, port and, for a question about one request, its methods, path and query. */
export type Asked = Pick<Readable, 'host' | 'port' | 'request'>

/** The longest path that a human can review. Paths are never cut, because the part that was cut would be allowed unseen. */
export const mostPath = 1_000
const mostQuery = 200

/**
 * Returns a question in the only form that is ever shown or kept: the host name in wire form, everything else in visible ASCII. Returns
 * null if the question has no such form, or is too long for a human to review.
 */
export function askable({ cell, cellName, host, port, request, source }: ApprovalQuestion): Readable | null {
  const name = wireName(host)
  if (name === null || !Number.isInteger(port) || port < 1 || port > 65_535) return null
  const words = { cell: cell.slice(0, 100), cellName: cellName.slice(0, 200), host: name, port, source: source.slice(0, 200) }
  if (request === null) return { ...words, request }
  const path = visible(request.path)
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}$/.test(request.method) || path.length === 0 || path.length > mostPath) return null
  return { ...words, request: { method: request.method, path, ...queryOf(request.query ?? '') } }
}

export function keyOf({ host, port, request }: Asked): string {
  return JSON.stringify([host, port, request === null ? null : [request.method, request.path, request.querySha256 ?? null]])
}

/** Returns the request as it may be logged and kept: without the query, which may contain secrets. */
export function withoutQuery(request: ReadableRequest | null): Omit<ReadableRequest, 'queryShown'> | null {
  if (request === null) return null
  const { queryShown: _, ...rest } = request
  return rest
}

function queryOf(query: string): Pick<ReadableRequest, 'querySha256' | 'queryShown'> {
  if (query === '') return {}
  const shown = visible(query)
  const queryShown = shown.length > mostQuery ? `${shown.slice(0, mostQuery)}[+${shown.length - mostQuery} more]` : shown
  return { querySha256: hash('sha256', query, 'hex'), queryShown }
}

const visible = (text: string): string => text.toWellFormed().replace(/[^!-~]/gu, encodeURIComponent)
