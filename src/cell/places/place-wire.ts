import type { IncomingHttpHeaders } from 'node:http2'
import * as z from 'zod'
import type { Frozen } from '../../base/frozen.ts'
import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import { policySchema } from '../../egress/policy/egress-policy-schema.ts'
import { Lines } from '../../files/lines.ts'
import { cellPlanSchema } from '../plan/plan-schema.ts'
import type { CellSpec } from '../plan/spec.ts'
import { reportSchema } from '../report-schema.ts'

/** A spec that may travel: it has placeholders, and no credential. */
export type TravellingSpec = Omit<CellSpec, 'credentials'>

/** A week. */
export const longestKeepMs = 7 * 24 * 3_600_000

/**
 * What home sends to start a cell, as JSON in the first line of the body of `POST /cells`. A later one is `agreed`; others say how many bytes of the
 * answer home has.
 */
export interface StartRequest {
  readonly spec: TravellingSpec
  /** The path of the user's home directory at home. */
  readonly userHome: string
  /** The certificate (PEM) of the cell's authority, whose key stays at home; null: no host is inspected. */
  readonly certificate: string | null
  /** The secret by which home knows the cell's connections. */
  readonly token: string
  /** The trees that the cell sees, which were sent before. Empty: both sides have the same files. */
  readonly trees: readonly { readonly root: string; readonly tree: string; readonly file: string }[]
  readonly hasInput: boolean
  /** Milliseconds for which the cell goes on without a connection to home. */
  readonly keepMs: number
  readonly size?: { readonly columns: number; readonly rows: number } | undefined
}

/** What must hold before a request is used. The rest is the planner's to judge, as for any spec. */
export const startRequestSchema = z.looseObject({
  spec: z.looseObject({ name: z.string(), command: z.array(z.string()).min(1), egress: policySchema, terminal: z.boolean() }),
  userHome: z.string().startsWith('/'),
  certificate: z.string().nullable(),
  token: z.string().min(32),
  trees: z.array(z.strictObject({ root: z.string().startsWith('/'), tree: z.string(), file: z.string().regex(/^(?!\.{1,2}$)[^/]*$/) })),
  hasInput: z.boolean(),
  keepMs: z.int().min(0).max(longestKeepMs),
})

/** What the other side says about a cell, one JSON object in a line, in the body of the answer. */
export const cellEventSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('planned'), id: z.string().regex(/^[0-9a-f]{12}$/), plan: cellPlanSchema }),
  z.strictObject({ event: z.literal('started'), hasInput: z.boolean(), notes: z.array(z.string()) }),
  z.strictObject({ event: z.literal('waits'), isWaiting: z.boolean(), why: z.string() }),
  z.strictObject({ event: z.literal('denied'), host: z.string(), port: z.int().nullable(), reason: z.string() }),
  z.strictObject({ event: z.literal('ended'), report: reportSchema }),
  z.strictObject({ event: z.literal('refused'), code: z.string(), message: z.string(), hint: z.string().nullable() }),
])

export type CellEvent = Frozen<z.output<typeof cellEventSchema>>

/** The line with which home agrees to the plan of a cell. */
export const agreed = 'agreed'

/** Bytes of the longest line: a report with every list at its limit. */
export const longestLine = 64 * 1024 ** 2

/** Bytes of the longest answer to a question, and of the longest one about a tree. */
export const [longestAnswer, longestTree] = [1024 ** 2, 256 * 1024 ** 2]

/** Header fields in the answer to a parked stream: the destination of a connection, and the cell from which it comes. */
export const connectionFields = { host: 'x-host', port: 'x-port', token: 'x-cell' } as const

/** Returns a field that is one text; otherwise an empty one. */
export function fieldOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Returns the part of a policy that the other side needs: the names and ports that lead home. Pins, rules and questions stay here. */
export function travellingPolicy(policy: EgressPolicy): EgressPolicy {
  if (policy.mode !== 'allowlist') return policy
  return {
    mode: 'allowlist',
    entries: policy.entries.map(({ host, ports, source }) => ({ host, ports, internal: false, source })),
  }
}

/** What a tree may have that travels. Both sides refuse more. */
export const treeBounds = { maxEntries: 1_000_000, maxBytes: 64 * 1024 ** 3 } as const

/** Returns the lines of a body, one after the other. */
export async function* linesOf(body: AsyncIterable<unknown>): AsyncGenerator<string, string> {
  const lines = new Lines(longestLine)
  for await (const chunk of body) yield* lines.take(chunk as Buffer)
  return ''
}
