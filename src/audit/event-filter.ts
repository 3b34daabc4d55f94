import type { AuditLine } from './line.ts'

/** A filter for lines of the log. All conditions must be true. Lists are separated by commas. */
export interface AuditFilter {
  /** The start of a cell's ID, or of several IDs. */
  readonly cell?: string
  /** A kind (`egress.deny`), its first part (`egress`), or several of them. */
  readonly kind?: string
  /** The actor of the event; `user`: the user of this machine. */
  readonly actor?: string
  /** A part of the host's name. */
  readonly host?: string
  /** The earliest time, in ISO 8601. */
  readonly from?: string
  /** Exclusive bounds on the number of a line in the chain. */
  readonly after?: number
  readonly before?: number
}

/** Returns a function that tests lines against a filter. */
export function matcherOf({ cell, kind, actor, host, from, after, before }: AuditFilter): (line: AuditLine) => boolean {
  const cells = cell?.split(',')
  const kinds = kind?.split(',')
  const name = host?.toLowerCase()
  const since = from === undefined ? undefined : Date.parse(from)
  return (line) =>
    (after === undefined || line.seq > after) &&
    (before === undefined || line.seq < before) &&
    (kinds === undefined || kinds.some((each) => line.kind === each || line.kind.startsWith(`${each}.`))) &&
    (cells === undefined || cells.some((each) => line.cell?.startsWith(each) === true)) &&
    (actor === undefined || (line.actor ?? 'user') === actor) &&
    (name === undefined || hostOf(line).includes(name)) &&
    (since === undefined || Date.parse(line.time) >= since)
}

function hostOf({ data }: AuditLine): string {
  const host = data['host'] ?? data['name']
  return typeof host === 'string' ? host.toLowerCase() : ''
}
