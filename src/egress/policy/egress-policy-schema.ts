import * as z from 'zod'

const ruleAction = z.enum(['allow', 'deny', 'ask'])

const entrySchema = z.strictObject({
  host: z.string().describe('Lower-case ASCII after IDNA: an exact name, *.name for only the subdomains, or * for every name.'),
  ports: z.array(z.int()).describe('TCP ports, at least one.'),
  internal: z.boolean().describe('True if the name may resolve to an internal address.'),
  pin: z
    .strictObject({ address: z.string(), port: z.int().exactOptional() })
    .exactOptional()
    .describe("Dialled instead of the name's resolved addresses. It may be internal."),
  endpoint: z
    .strictObject({ host: z.string(), port: z.int() })
    .exactOptional()
    .describe(
      'Set if the name belongs to the gateway itself: plain HTTP in the cell, forwarded over TLS to this host, at the address of the pin if there is one. Judged by request, like an inspected host.',
    ),
  ask: z.boolean().exactOptional().describe('True if each connection waits for an answer before anything is looked up or dialled.'),
  inspect: z
    .strictObject({
      rules: z.array(
        z.strictObject({
          action: ruleAction,
          methods: z.array(z.string()).describe('Upper-case methods. Empty: every method.'),
          path: z.string().describe('A pattern of the normalised path: * matches part of one segment, ** anything.'),
          query: z.record(z.string(), z.string()).exactOptional().describe('Parameters that must be present with these values.'),
          source: z.string().describe('user, or the name of a rule set.'),
          hint: z
            .string()
            .exactOptional()
            .describe('What permits a denied request, or what to do instead. The answer is then JSON with this in its message.'),
        }),
      ),
      otherwise: ruleAction.describe('Decides if no rule matches. Otherwise the first matching rule decides.'),
    })
    .exactOptional()
    .describe('Set if the gateway terminates TLS for this name and judges each request. Otherwise traffic stays encrypted end to end.'),
  source: z.string().describe('user, or the name of a preset.'),
})
const entries = z.array(entrySchema)

/**
 * The network access of a cell. Under `public` and `open`, entries name the hosts that are treated specially: inspected, asked about or
 * pinned.
 */
export const policySchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('off') }),
  z.strictObject({ mode: z.literal('allowlist'), entries }),
  z.strictObject({
    mode: z.literal('public'),
    entries,
    blocked: z.array(z.string()).describe('Ranges in CIDR notation that are rejected in addition to the internal ones.'),
  }),
  z.strictObject({ mode: z.literal('open'), entries }),
])
