import * as z from 'zod'
import { reportSchema } from '../../cell/report-schema.ts'
import { capabilitiesSchema } from '../../fleet/machine/capabilities.ts'
import { recordedMatrixSchema, verifiedSchema } from '../../guarantees/guarantees-results.ts'

export const machineResults = {
  doctor: capabilitiesSchema.extend({
    fix: z
      .strictObject({
        distribution: z.string(),
        commands: z
          .array(
            z.strictObject({
              command: z.string().describe('As it can be pasted into a shell.'),
              exitCode: z.int().nullable().describe('Null: the command was not run.'),
            }),
          )
          .describe('Commands that change this machine.'),
        byHand: z.array(z.string()).describe('What only you can do.'),
      })
      .exactOptional()
      .describe('Of --fix. The other parts are what was found after it.'),
  }),
  verify: verifiedSchema,
  'verify --recorded': recordedMatrixSchema,
  redteam: z.strictObject({
    schemaVersion: z.literal(1),
    agent: z.string(),
    moved: z.boolean(),
    canaries: z.array(z.strictObject({ id: z.string(), what: z.string(), moved: z.boolean(), evidence: z.string() })),
    unset: z.array(z.strictObject({ id: z.string(), why: z.string() })).describe('Canaries that could not be placed here.'),
    durationMs: z.number(),
    said: z
      .strictObject({
        tried: z.array(z.string()),
        last: z.array(z.string()),
        ok: z.boolean().nullable(),
        toolCalls: z.int(),
        trouble: z.array(z.string()),
      })
      .describe("The agent's own claims, which Paddock does not rely on."),
    searched: z.strictObject({ files: z.int(), bytes: z.int(), whole: z.boolean() }),
    cell: reportSchema,
  }),
  clean: z.strictObject({
    schemaVersion: z.literal(1),
    dryRun: z.boolean(),
    removed: z.array(
      z.strictObject({
        what: z.enum([
          'login copy',
          'broken-off login',
          'scratch directory',
          'broken-off copy',
          'run directory',
          'traces of a cell',
          'volume',
        ]),
        path: z.string(),
        bytes: z.int(),
      }),
    ),
    bytes: z.int(),
  }),
}
