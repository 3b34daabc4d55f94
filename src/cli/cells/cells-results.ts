import * as z from 'zod'

export const cellResults = {
  ps: z.strictObject({
    schemaVersion: z.literal(1),
    cells: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().nullable().describe('The work and the agent, such as "run claude".'),
        project: z.string().nullable(),
        startedAt: z.string(),
        egress: z.string().nullable().describe('The egress policy: off, allowlist, public or open.'),
        memoryBytes: z.int().nullable().describe('Memory of its processes. Null: not known, for example while it starts.'),
        pid: z.int().nullable().describe('The process of Paddock that runs the cell.'),
      }),
    ),
  }),
  logs: z.strictObject({
    schemaVersion: z.literal(1),
    id: z.string(),
    output: z.string().describe('Standard output and standard error in the order in which they came; at least the last MiB.'),
  }),
  reset: z.strictObject({
    schemaVersion: z.literal(1),
    project: z.string(),
    agents: z.array(z.string()).describe('The agents whose private home in this project was deleted.'),
  }),
  stop: z.strictObject({ schemaVersion: z.literal(1), id: z.string(), isCleanedUp: z.boolean() }),
}
