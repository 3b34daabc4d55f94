import * as z from 'zod'
import type { OwnCommand } from '../../fleet/workspace/own-command.ts'
import { callerOf } from '../access/caller.ts'
import type { App } from '../deps.ts'
import { Refusal } from '../problem.ts'

/** As `paddock approvals list --json` prints it. */
const approvalsSchema = z
  .looseObject({
    open: z.array(z.looseObject({ id: z.string(), cell: z.string(), cellName: z.string(), expiresAt: z.string() })),
    remembered: z.array(z.unknown()),
  })
  .meta({ id: 'Approvals' })

/** `/api/v1/approvals`: what cells of this machine wait for. */
export function approvalRoutes(app: App, command: OwnCommand): void {
  app.get(
    '/api/v1/approvals',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listApprovals',
        summary: 'What cells of this user wait for a human to allow, and what was answered for good.',
        response: { 200: approvalsSchema },
      },
    },
    async () => approvalsSchema.parse(await command(['approvals', 'list', '--json'])),
  )
  app.post(
    '/api/v1/approvals/:approval/answer',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'answerApproval',
        summary: 'Allows or denies what a cell waits for.',
        params: z.object({ approval: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'is no id of a question' }) }),
        body: z.strictObject({
          allowed: z.boolean(),
          scope: z
            .enum(['once', 'cell', 'always'])
            .default('once')
            .describe('How far the answer reaches. `always` holds for every later cell of this machine, and only an owner may give it.'),
        }),
        response: { 200: z.looseObject({ allowed: z.boolean(), scope: z.string() }) },
      },
    },
    async (request) => {
      const { allowed, scope } = request.body
      if (scope === 'always' && callerOf(request).role !== 'owner')
        throw new Refusal('FORBIDDEN', 'Only an owner may give an answer that holds always.', { hint: 'Give once or cell' })
      const words = ['approvals', allowed ? 'allow' : 'deny', '--for', scope, '--json', '--', request.params.approval]
      return z.looseObject({ allowed: z.boolean(), scope: z.string() }).parse(await command(words))
    },
  )
}
