import * as z from 'zod'
import { answeredSchema } from '../../../egress/approvals/approval-schema.ts'
import { roles } from '../../../fleet/store/token-store.ts'
import { inboxSchema, questionAnsweredSchema } from '../../../server/routes/inbox-routes.ts'
import { pauseSchema } from '../../../server/routes/server-routes.ts'
import { usageSchema } from '../../../server/routes/usage-routes.ts'

const counts = { agents: z.int(), jobs: z.int() }

export const serverResults = {
  open: z.strictObject({ schemaVersion: z.literal(1), link: z.string(), role: z.enum(roles), expiresInSeconds: z.number() }),
  inbox: inboxSchema,
  answer: z
    .union([questionAnsweredSchema, answeredSchema])
    .describe('The first form is for a question of a job, the second for a question of a cell.'),
  usage: z.object({
    from: z.string(),
    to: z.string(),
    items: z.array(usageSchema.extend({ name: z.string() })),
    total: usageSchema,
  }),
  'fleet backup': z.strictObject({
    file: z.string(),
    ...counts,
    bytes: z.int(),
    missing: z.array(z.string()).describe('Entries that are not in the archive although nothing changed them; the exit code is then 1.'),
  }),
  'fleet restore': z.strictObject({
    data: z.string(),
    ...counts,
    movedFrom: z.string().nullable().describe('The data directory that was backed up, if it had another path.'),
    paused: z.object({ jobs: z.boolean().describe('Whether queued jobs do not start either.') }),
  }),
  'fleet resume': z.strictObject({ ended: pauseSchema.describe('The pause that ended; null if the fleet was not paused.') }),
}
