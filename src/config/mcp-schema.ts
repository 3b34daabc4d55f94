import * as z from 'zod'

const variables = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of a variable' }), z.string())

const mcpServer = z.union(
  [
    z.strictObject({
      command: z
        .array(z.string().regex(/^[^\0]+$/))
        .min(1)
        .describe('Program and arguments; it runs in the cell.'),
      env: variables.optional().describe('Further variables.'),
    }),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }).describe('A Streamable HTTP endpoint, reached from the cell under its egress policy.'),
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe('`$NAME` in a value stands for a variable of the cell, such as the placeholder of a secret.'),
    }),
  ],
  { error: 'must be { command: [PROGRAM, …] } or { url: URL }' },
)

/** MCP servers by name, as manifests and participants of contests have them. */
export const mcpServersSchema = z.record(
  z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, { error: 'must have 1 to 32 lower-case letters, digits or hyphens' }),
  mcpServer,
)
