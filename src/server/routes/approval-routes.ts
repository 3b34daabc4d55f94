import * as z from 'zod'
import {
  answeredSchema,
  type OpenQuestion,
  openQuestionSchema,
  type Remembered,
  rememberedSchema,
} from '../../egress/approvals/approval-schema.ts'
import { rememberedId } from '../../egress/approvals/remembered.ts'
import { cellOrigin } from '../../fleet/cell-name.ts'
import { callerOf } from '../access/caller.ts'
import type { OwnCommand } from '../own-command.ts'
import { Refusal } from '../problem.ts'
import type { App } from '../server-deps.ts'

const openSchema = openQuestionSchema.omit({ schemaVersion: true, asker: true }).extend({
  agent: z.string().nullable().describe('The agent of the fleet that the cell belongs to; null if there is none.'),
  job: z.string().nullable(),
})
const approvalsSchema = z
  .object({
    open: z.array(openSchema),
    remembered: z.array(rememberedSchema.shape.answers.element.extend({ id: z.string() })).describe('Answers that were given for always.'),
  })
  .meta({ id: 'Approvals' })

/** The open questions of this user's cells, and the remembered answers. */
export interface Questions {
  open(): Promise<readonly OpenQuestion[]>
  remembered(): readonly Remembered[]
  /** Deletes a remembered answer. @throws PaddockError NOT_FOUND */
  forget(id: string): Promise<void>
}

/** `/api/v1/approvals`: open questions of cells on this machine. */
export function approvalRoutes(app: App, { command, questions }: { readonly command: OwnCommand; readonly questions: Questions }): void {
  app.get(
    '/api/v1/approvals',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listApprovals',
        summary: "Lists what this user's cells wait for a human to allow, and the answers that were given for always.",
        response: { 200: approvalsSchema },
      },
    },
    async () => {
      const open = (await questions.open()).map(({ asker: _, schemaVersion: __, ...each }) => {
        const { agent, job } = cellOrigin(each.cellName)
        return { ...each, agent, job }
      })
      return { open, remembered: questions.remembered().map((each) => ({ id: rememberedId(each), ...each })) }
    },
  )
  app.post(
    '/api/v1/approvals/:approval/answer',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'answerApproval',
        summary: 'Allows or denies what a cell waits for.',
        params: z.object({
          approval: z
            .string()
            .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'is not the id of a question' })
            .describe('The id of the question.'),
        }),
        body: z.strictObject({
          allowed: z.boolean(),
          scope: z
            .enum(['once', 'cell', 'always'])
            .default('once')
            .describe('What the answer applies to. `always` applies to every later cell of this machine, and only an owner may give it.'),
        }),
        response: { 200: answeredSchema },
      },
    },
    async (request) => {
      const { allowed, scope } = request.body
      if (scope === 'always' && callerOf(request).role !== 'owner')
        throw new Refusal('FORBIDDEN', 'Only an owner may give an answer that holds always.', { hint: 'Give once or cell' })
      return await command(allowed ? 'approvals allow' : 'approvals deny', ['--for', scope, '--', request.params.approval])
    },
  )
  app.delete(
    '/api/v1/approvals/:answer',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'forgetApproval',
        summary: 'Removes an answer that was given for always. Later cells ask again; running cells keep it.',
        params: z.object({
          answer: z
            .string()
            .regex(/^[0-9a-f]{16}$/, { error: 'is not the id of a remembered answer' })
            .describe('The id of the remembered answer.'),
        }),
        response: { 204: z.undefined() },
      },
    },
    async ({ params }, reply) => {
      await questions.forget(params.answer)
      return reply.code(204).send()
    },
  )
}
