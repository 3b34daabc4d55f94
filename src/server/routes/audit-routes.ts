import * as z from 'zod'
import { auditLineSchema, auditResults } from '../../audit/audit-results.ts'
import { kindFilters } from '../../audit/event-kinds.ts'
import type { AuditLine } from '../../audit/line.ts'
import { readHead } from '../../audit/log-place.ts'
import { linesAfter } from '../../audit/recent.ts'
import { CellOrigins } from '../cell-origins.ts'
import type { OwnCommand } from '../own-command.ts'
import type { App } from '../server-deps.ts'

export interface AuditRoutes {
  readonly command: OwnCommand
  /** The directory of the log. */
  readonly directory: string
}

const originSchema = z
  .object({ name: z.string(), agent: z.string().nullable(), job: z.string().nullable() })
  .describe('What its cell was started for; null if it has no cell, or the cell is no longer known.')
const itemSchema = auditLineSchema.extend({ origin: originSchema.nullable() })
const query = z.strictObject({
  kind: z
    .string()
    .max(400)
    .refine((value) => value.split(',').every((each) => kindFilters.includes(each)), { error: 'names a kind that the log does not have' })
    .optional()
    .describe('A kind (`egress.deny`) or its first part; several separated by commas.'),
  cell: z
    .string()
    .regex(/^[0-9a-f]{1,64}$/, { error: 'is not the beginning of the id of a cell' })
    .optional()
    .describe('The start of the id of a cell.'),
  agent: z.string().max(64).optional().describe('The name of an agent: returns lines of its newest 200 cells.'),
  actor: z.string().min(1).max(100).optional().describe('Who caused it: the name of a token or session; `user`: the user of the machine.'),
  host: z
    .string()
    .regex(/^[^\s-][^\s]{0,252}$/, { error: 'is not part of the name of a host' })
    .optional()
    .describe('A part of the host name.'),
  from: z.iso.datetime({ error: 'must be a time such as 2027-01-31T12:00:00Z' }).optional().describe('Only lines from this time on.'),
  before: z.coerce.number().int().min(1).max(1e15).optional().describe('Only lines with a lower number: the page before.'),
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(1e15)
    .optional()
    .describe(
      'Only lines with a higher number. To follow the log, pass `newest` of the previous answer; cheap enough to call every second.',
    ),
  limit: z.coerce.number().int().min(1).max(1_000).default(50).describe('Maximum number of lines.'),
})

/** `/api/v1/audit`: the audit log of this user. */
export function auditRoutes(app: App, { command, directory }: AuditRoutes): void {
  const origins = new CellOrigins(directory, command)
  app.get(
    '/api/v1/audit',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'readAudit',
        summary: 'Returns the newest lines of the audit log, oldest first.',
        querystring: query,
        response: {
          200: z.object({
            items: z.array(itemSchema),
            newest: z.int().describe('The number of the newest line of the log when it was read; pass it as `after`.'),
            whole: z.boolean().describe('False if more lines follow `after` than are read at once, so older lines are missing.'),
          }),
        },
      },
    },
    async ({ query: { agent, cell, after, before, limit, ...filter } }) => {
      // Read this before the cells: a later line may belong to a cell that is not known yet, and is returned next time.
      const known = readHead(directory)?.seq ?? Number.POSITIVE_INFINITY
      await origins.catchUp()
      const ofAgent = agent === undefined ? null : origins.cellsOf(agent).filter((each) => cell === undefined || each.startsWith(cell))
      const cells = ofAgent === null ? cell : ofAgent.join(',')
      const shown = (lines: readonly AuditLine[]) =>
        lines.filter(({ seq }) => seq <= known).map((line) => ({ ...line, origin: origins.of(line.cell) }))
      if (after !== undefined) {
        const recent = linesAfter(directory, after, { ...given(filter), ...given({ cell: cells, before }) })
        const lines = ofAgent?.length === 0 ? [] : recent.lines.slice(-limit)
        return { items: shown(lines), newest: Math.min(recent.newest, known), whole: recent.whole && lines.length === recent.lines.length }
      }
      const newest = Number.isFinite(known) ? known : 0
      if (ofAgent?.length === 0) return { items: [], newest, whole: true }
      const options = Object.entries(given({ ...filter, cell: cells, before })).map(([name, value]) => `--${name}=${value}`)
      const read = await command('audit tail', ['-n', String(limit), ...options], { lines: true })
      return { items: shown(read), newest, whole: true }
    },
  )
  app.get(
    '/api/v1/audit/verify',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'verifyAudit',
        summary: 'Returns whether the chain of the audit log is intact.',
        response: { 200: auditResults['audit verify'] },
      },
    },
    () => command('audit verify'),
  )
}

/** Returns the values without undefined ones. */
function given<T extends Readonly<Record<string, unknown>>>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
