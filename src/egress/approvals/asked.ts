import { hash } from 'node:crypto'
import { wireName } from '../policy/host-pattern.ts'
import type { ApprovalQuestion } from './approval.ts'

/** The request in a question, with a hash of its query and the part of the query that is shown to a human. */
export interface ReadableRequest {
  readonly method: string
  readonly path: string
  /** SHA-256 of the whole query, in hexadecimal. */
  readonly querySha256?: string | undefined
  /** At most 200 characters of the query, followed by a mark if the query is longer. */
  readonly queryShown?: string | undefined
}

/** A question in the form in which it is shown. */
export type Readable = Omit<ApprovalQuestion, 'request'> & { readonly request: ReadableRequest | null }

/** The scope of an answer: host, port and, for a question about one request, its methods, path and query. */
export type Asked = Pick<Readable, 'host' | 'port' | 'request'>

/** Maximum length of a path that a human can review. Paths are never cut, because the rest would be allowed without being seen. */
export const mostPath = 1_000
const mostQuery = 200

/**
 * Returns a question in the form in which it is shown and kept: the host name in wire form, everything else in visible ASCII. Returns
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
