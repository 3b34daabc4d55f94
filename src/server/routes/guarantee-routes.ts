import * as z from 'zod'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { egressModes } from '../../egress/policy/egress-policy.ts'
import { verifiedSchema } from '../../guarantees/guarantees-results.ts'
import type { OwnCommand } from '../own-command.ts'
import type { App } from '../server-deps.ts'

const seenSchema = z
  .object({
    state: z.enum(['never', 'running', 'done', 'failed']),
    startedAt: z.string().nullable(),
    problem: z.string().nullable(),
    result: verifiedSchema.nullable().describe('The result of the last probe that finished since the server started.'),
  })
  .meta({ id: 'Guarantees' })

/** `/api/v1/guarantees`: the guarantees that were observed to hold here. */
export function guaranteeRoutes(app: App, command: OwnCommand): void {
  let seen: z.output<typeof seenSchema> = { state: 'never', startedAt: null, problem: null, result: null }
  app.get(
    '/api/v1/guarantees',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getGuarantees',
        summary: 'Returns which guarantees held on this machine when they were last tried.',
        response: { 200: seenSchema },
      },
    },
    () => seen,
  )
  app.post(
    '/api/v1/guarantees/verify',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'verifyGuarantees',
        summary: 'Tries to break every guarantee in real cells, which takes a minute. The result is at /api/v1/guarantees.',
        body: z.strictObject({ egress: z.enum(egressModes).default('allowlist') }),
        response: { 202: seenSchema },
      },
    },
    async ({ body: { egress } }, reply) => {
      if (seen.state === 'running') throw new PaddockError('CONFLICT', 'The guarantees are being tried.', { hint: 'Wait for the result' })
      seen = { ...seen, state: 'running', startedAt: new Date().toISOString(), problem: null }
      command('verify', ['--egress', egress]).then(
        (result) => {
          seen = { ...seen, state: 'done', result }
        },
        (error: unknown) => {
          seen = { ...seen, state: 'failed', problem: messageOf(error) }
        },
      )
      return reply.code(202).send(seen)
    },
  )
}
