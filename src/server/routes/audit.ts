import * as z from 'zod'
import type { OwnCommand } from '../../fleet/workspace/own-command.ts'
import type { App } from '../deps.ts'

const lineSchema = z.looseObject({ seq: z.number(), time: z.string(), kind: z.string() })
const verdictSchema = z.looseObject({ whole: z.boolean(), lines: z.int() })

/** `/api/v1/audit`: the audit log of this user. */
export function auditRoutes(app: App, command: OwnCommand): void {
  app.get(
    '/api/v1/audit',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'readAudit',
        summary: 'The newest lines of the audit log, oldest first.',
        querystring: z.strictObject({
          kind: z.string().max(64).optional().describe('A kind (`egress.deny`) or its first word.'),
          cell: z
            .string()
            .regex(/^[0-9a-f]{1,64}$/, { error: 'is no beginning of the id of a cell' })
            .optional()
            .describe('The beginning of the id of a cell.'),
          limit: z.coerce.number().int().min(1).max(200).default(50),
        }),
        response: { 200: z.object({ items: z.array(lineSchema) }) },
      },
    },
    async ({ query: { kind, cell, limit } }) => {
      const words = [...(kind === undefined ? [] : [`--kind=${kind}`]), ...(cell === undefined ? [] : [`--cell=${cell}`])]
      return {
        items: z.array(lineSchema).parse(await command(['audit', 'tail', '--json', '-n', String(limit), ...words], { lines: true })),
      }
    },
  )
  app.get(
    '/api/v1/audit/verify',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'verifyAudit',
        summary: 'Whether the chain of the audit log is whole.',
        response: { 200: verdictSchema },
      },
    },
    async () => verdictSchema.parse(await command(['audit', 'verify', '--json'])),
  )
}
