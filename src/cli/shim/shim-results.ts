import * as z from 'zod'

const shimSchema = z.strictObject({
  agent: z.string(),
  file: z.string().describe('The absolute path of the shim.'),
  program: z.string().nullable().describe('The program that the shim starts in a cell. Null: the agent is not installed.'),
  first: z.boolean().describe('True if PATH leads to this shim.'),
  problem: z.string().nullable().describe('Why the shim starts no agent. Null: it works.'),
})

export const shimResults = {
  'shim install': z.strictObject({
    schemaVersion: z.literal(1),
    directory: z.string(),
    inPath: z.boolean().describe('True if PATH leads to all shims that were installed.'),
    shims: z.array(shimSchema),
  }),
  'shim list': z.strictObject({
    schemaVersion: z.literal(1),
    shims: z.array(
      shimSchema.extend({
        leftOut: z
          .array(z.strictObject({ what: z.string(), setting: z.string().describe('The key of config.yaml that lets it in.') }))
          .describe('What an agent in a cell does not have.'),
      }),
    ),
  }),
  'shim remove': z.strictObject({ schemaVersion: z.literal(1), removed: z.array(z.string()).describe('The absolute paths of the shims.') }),
}
