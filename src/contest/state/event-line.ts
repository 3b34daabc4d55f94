import * as z from 'zod'
import { checkResultSchema } from './check-result.ts'
import { outcomeSchema } from './participant-outcome.ts'

const role = z.enum(['participant', 'judge', 'reviewer'])

const ofTask = {
  /** The current task, for a judge that has several tasks. It does not reveal what the judge sees. */
  task: z
    .strictObject({
      id: z.string(),
      /** The number of the judge's tasks. */
      of: z.int(),
      /** The number of tasks that the judge has answered. */
      answered: z.int(),
    })
    .exactOptional(),
}

function event<Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.strictObject({ at: z.string().describe('When it happened: ISO 8601, UTC.'), type: z.literal(type), ...shape })
}

/** One line of events.jsonl. It reveals neither labels nor an agent's messages, which are in the agent's own transcript. */
export const eventSchema = z.discriminatedUnion('type', [
  event('warning', { message: z.string() }),
  event('step', { step: z.enum(['participants', 'checks', 'judges', 'report']), total: z.int(), open: z.int() }),
  event('started', { role, name: z.string(), attempt: z.int(), ...ofTask }),
  event('ended', { role, name: z.string(), outcome: outcomeSchema, durationMs: z.number(), ...ofTask }),
  event('sealed', { name: z.string(), outcome: outcomeSchema, files: z.int(), bytes: z.int(), dropped: z.int() }),
  event('carried', { name: z.string(), round: z.int().describe('Its work of this earlier round counts.') }),
  event('checked', {
    name: z.string(),
    check: z.string(),
    result: checkResultSchema.shape.result,
    why: z.string().nullable(),
    durationMs: z.number(),
  }),
  event('waits', { role, name: z.string(), until: z.number().describe('When it will be run again: milliseconds since the epoch.') }),
  event('repair', { name: z.string(), problem: z.string() }),
  event('scored', { name: z.string(), ...ofTask }),
  event('reviewed', {
    name: z.string(),
    why: z.string().nullable().describe('Why its work has no review; null if it has one.'),
    ...ofTask,
  }),
  event('judge-failed', { name: z.string(), message: z.string(), ...ofTask }),
  event('reported', { leaderboard: z.string(), html: z.string(), summary: z.string() }),
])

/** One parsed line of events.jsonl. */
export type EventLine = z.output<typeof eventSchema>
