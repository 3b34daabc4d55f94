import * as z from 'zod'
import { egressModes } from '../../egress/policy/egress-policy.ts'

const check = z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), hint: z.string().optional() })

/** The restrictions that a machine can enforce, from `paddock doctor --json`. */
export const capabilitiesSchema = z.object({
  schemaVersion: z.literal(1),
  version: z.string(),
  ok: z.boolean().describe('Whether cells can be started.'),
  system: z.string(),
  posture: z.string().describe('The isolation level of cells by default, from L0 to L5.'),
  postures: z.array(z.string()).default(['L2']).describe('All isolation levels that cells here can have.'),
  backends: z
    .array(z.object({ name: z.string(), postures: z.array(z.string()) }))
    .default([])
    .describe('The backends of this machine, with the isolation levels of the cells that each builds. The first builds the usual cells.'),
  checks: z.array(check),
  egress: z
    .array(check.omit({ name: true }).extend({ modes: z.array(z.enum(egressModes)) }))
    .describe('The egress policies, and why some of them cannot be enforced.'),
  limits: z
    .array(z.object({ limit: z.string(), mechanism: z.string(), gap: z.string().optional() }))
    .describe('How each limit is enforced.'),
  agents: z.array(
    z.object({
      name: z.string(),
      installed: z.boolean(),
      version: z.string().nullable(),
      tried: z.boolean(),
      reports: z
        .enum(['nothing', 'tokens', 'cost'])
        .describe('What it reports about its work: nothing, its steps and tokens, or also their cost.'),
      usesMcp: z.boolean().default(false).describe('Whether it can use the tools ask and delegate.'),
      loginVariables: z
        .array(z.string())
        .nullable()
        .default(null)
        .describe('The variables that give it a key of its own instead of a login; null if it has no login.'),
      webTool: z
        .string()
        .nullable()
        .default(null)
        .describe('Its own tool that brings text of others through the API of its model; null if none is known.'),
      hint: z.string(),
    }),
  ),
})
export type Capabilities = z.output<typeof capabilitiesSchema>
