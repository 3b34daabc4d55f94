import * as z from 'zod'
import { egressModes } from './policy/egress-policy.ts'

const traffic = { bytesOut: z.int(), bytesIn: z.int() }
export const egressMode = z.enum(egressModes)

/** The summary of a cell's network use. */
export const egressSummarySchema = z.strictObject({
  mode: egressMode,
  connections: z.int().describe('Number of allowed connections.'),
  ...traffic,
  reached: z
    .array(z.strictObject({ host: z.string(), port: z.int(), connections: z.int(), ...traffic }))
    .describe('Destinations, each with the bytes in both directions; at most 1,000.'),
  denied: z
    .array(
      z.strictObject({
        host: z.string(),
        port: z.int().nullable().describe('Null for a name in a DNS query.'),
        reason: z.string(),
        count: z.int(),
      }),
    )
    .describe('At most 1,000.'),
  deniedMore: z.int().exactOptional().describe('Number of refusals of destinations that are not in `denied`.'),
  astray: z
    .array(z.strictObject({ credential: z.string(), host: z.string(), count: z.int() }))
    .exactOptional()
    .describe('Placeholders that were sent to places where they have no value.'),
  network: z
    .strictObject(traffic)
    .exactOptional()
    .describe(
      'Traffic that bypasses the gateway, under public and open, in bytes of packets with their headers. Absent if it is not known.',
    ),
  requests: z.strictObject({ allowed: z.int(), denied: z.int() }).exactOptional().describe('Requests to inspected hosts.'),
  models: z
    .strictObject({
      answered: z.int(),
      failed: z
        .array(
          z.strictObject({
            host: z.string(),
            kind: z
              .enum(['refused', 'cut', 'unanswered', 'unreachable', 'unresolvable', 'not-renewed', 'no-credential'])
              .describe(
                'cut: the answer ended early. unanswered: the client waited, and left or was ended before an answer started. not-renewed and no-credential: the host was never contacted.',
              ),
            status: z.int().nullable().describe('The HTTP status of a refusal.'),
            why: z.string().exactOptional().describe('The reason for not-renewed and no-credential.'),
            resetsAt: z
              .number()
              .nullable()
              .describe('The end of the rate limit, according to the newest answer. Milliseconds since the epoch.'),
            waitedMs: z.number().describe('From the request to the end of the newest call.'),
            at: z.number().describe('The time of the newest call, in milliseconds since the epoch.'),
            count: z.int(),
          }),
        )
        .describe('Consecutive calls that failed in the same way after the last answer, oldest first; at most 10.'),
    })
    .exactOptional()
    .describe('Calls of inspected model APIs for which the cell has credentials.'),
})
