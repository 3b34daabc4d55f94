import { hash } from 'node:crypto'
import { wireName } from '../policy/host-pattern.ts'
import type { ApprovalQuestion } from './approval.ts'

/** A request as a question holds it: the query as its hash, and what of it is shown to a human. */
export interface ReadableRequest {
  readonly method: string
  readonly path: string
  /** Hex, of the whole query. */
  readonly querySha256?: string | undefined
  /** At most 200 characters of it, with a mark if it was cut. */
  readonly queryShown?: string | undefined
}

/** A question in the only form that is ever shown. */
export type Readable = Omit<ApprovalQuestion, 'request'> & { readonly request: ReadableRequest | null }

/** What an answer applies to, exactly: host, port and, for a question about one request, its methods, path and query. */
export type Asked = Pick<Readable, 'host' | 'port' | 'request'>

/** Characters of a path that a human still reads; it is never cut, because what was cut would be allowed unseen. */
export const mostPath = 1_000
const mostQuery = 200

/**
 * A question in the only form that is ever shown or kept: the name as it travels on the wire, the rest visible ASCII. Null for what
 * has no such form, or is longer than a human reads.
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

/** The request as it may be logged and kept: without the query, which may hold secrets. */
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
