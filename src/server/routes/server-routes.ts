import { hostname } from 'node:os'
import * as z from 'zod'
import { budgetSchema } from '../../config/budget.ts'
import type { BudgetOptions } from '../../fleet/budgets/budgets.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { callerOf } from '../access/caller.ts'
import { mayUse } from '../access/role-order.ts'
import type { App } from '../server-deps.ts'

/** The machine's configuration, as the server read it at startup. */
export interface ServerFacts {
  readonly version: string
  readonly startedAt: string
  /** Returns the addresses of the page for browsers, or an empty list. */
  readonly addresses: () => readonly string[]
  readonly projects: readonly string[]
  readonly contests: readonly string[]
  readonly retention: { readonly ageMs: number | null; readonly bytes: number | null; readonly events: number }
  readonly budgets: Pick<BudgetOptions, 'day' | 'month'>
  readonly prices: readonly string[]
}

const directories = z.array(z.string()).nullable().describe('Null unless the caller is an operator or owner.')
const configurationSchema = z.object({
  projects: directories,
  contests: directories,
  retention: z.object({
    ageMs: z.number().nullable().describe('Jobs that ended longer ago are deleted; null if none is deleted because of its age.'),
    bytes: z.number().nullable().describe('Limit for the transcripts and logs of ended jobs; null if there is none.'),
    events: z.number().describe('How many of the newest events are kept.'),
  }),
  budgets: z.object({ day: budgetSchema.nullable(), month: budgetSchema.nullable() }).describe('For all agents together.'),
  prices: z.array(z.string()).describe('The models that have a price; `*` is any other model.'),
})
export const pauseSchema = z
  .object({
    since: z.string(),
    jobs: z.boolean().describe('Whether queued jobs do not start either.'),
  })
  .nullable()
const serverSchema = z
  .object({
    version: z.string(),
    machine: z.string().describe('Its host name.'),
    startedAt: z.string(),
    addresses: z.array(z.string()).describe('The URLs of the page for browsers.'),
    paused: pauseSchema.describe(
      'The pause of a restored fleet: its schedules, webhooks, hooks and Discord do nothing. Null if there is none.',
    ),
    configuration: configurationSchema.describe('Settings that only config.yaml changes, from the next start of the server.'),
  })
  .meta({ id: 'Server' })

/** `/api/v1/server`: the server itself. `/api/v1/resume`: ends the pause of its fleet. */
export function serverRoutes(app: App, fleet: Pick<Fleet, 'paused' | 'resume'>, facts: ServerFacts): void {
  app.get(
    '/api/v1/server',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getServer',
        summary: "Returns the server's version, where it runs, and what only its configuration changes.",
        response: { 200: serverSchema },
      },
    },
    (request) => {
      const { version, startedAt, addresses, projects, contests, retention, budgets, prices } = facts
      const mayName = mayUse(callerOf(request).role, 'operator')
      return {
        ...{ version, machine: hostname(), startedAt, addresses: [...addresses()], paused: fleet.paused() },
        configuration: {
          projects: mayName ? [...projects] : null,
          contests: mayName ? [...contests] : null,
          retention: { ...retention },
          budgets: { day: budgets.day ?? null, month: budgets.month ?? null },
          prices: [...prices],
        },
      }
    },
  )
  app.post(
    '/api/v1/resume',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'resumeFleet',
        summary: 'Ends the pause of a restored fleet. Nothing that was due in the pause is made up for.',
        response: { 200: z.object({ ended: pauseSchema.describe('The pause that ended; null if the fleet was not paused.') }) },
      },
    },
    () => ({ ended: fleet.resume() }),
  )
}
