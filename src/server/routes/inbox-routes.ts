import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { AgentNow } from '../../fleet/views.ts'
import { callerOf } from '../access/caller.ts'
import { cellQuestions } from '../cell-questions.ts'
import type { App } from '../server-deps.ts'
import type { Questions } from './approval-routes.ts'

export const questionAnsweredSchema = z.object({ id: z.string(), job: z.string(), allowed: z.boolean() })

export const itemSchema = z.object({
  kind: z
    .enum(['ask', 'tool', 'egress', 'login', 'key', 'budget', 'agent', 'approval'])
    .describe(
      "ask: an agent's question · tool: a held tool call · egress: a cell asks to reach something · login: an agent has no login · key: the endpoint of a model refused its key · budget: a budget is used up · agent: it cannot start · approval: its manifest waits for an owner.",
    ),
  id: z.string().describe('The id of the question (ask, tool, egress), otherwise of the agent.'),
  agent: z.string().nullable().describe('The name of the agent; null for a cell of another command.'),
  job: z.string().nullable(),
  text: z.string().describe('One sentence. A cell may have chosen its wording.'),
  subject: z.string().nullable().describe('Only the subject: host and port, method and address, the question, the tool and its input.'),
  hint: z.string().nullable(),
  askedAt: z.string().nullable().describe('When the question was asked, as far as this server knows; null if it is not a question.'),
  expiresAt: z.string().nullable().describe('When the question expires.'),
})
export const inboxSchema = z.object({ items: z.array(itemSchema) }).meta({ id: 'Inbox' })
type Item = z.output<typeof itemSchema>

/** The most characters shown of a question. */
const mostText = 10_000

/** `/api/v1/inbox`: everything that waits for a human, in the order of expiry. */
export function inboxRoutes(app: App, { fleet, questions }: { readonly fleet: Fleet; readonly questions: Pick<Questions, 'open'> }): void {
  const ofCells = async (): Promise<readonly Item[]> =>
    cellQuestions(fleet, await questions.open()).map(({ id, agent, job, name, wish, subject, askedAt, expiresAt }) => {
      const hint = `paddock answer ${id} allow, or deny`
      return {
        kind: 'egress',
        id,
        agent: agent?.name ?? null,
        job: job?.id ?? null,
        text: `${agent?.name ?? name} asks: ${wish}`,
        subject,
        hint,
        askedAt,
        expiresAt,
      }
    })
  const ofJobs = (): readonly Item[] =>
    fleet.questions.list().map(({ id, kind, agent, job, text, askedAt, expiresAt }) => {
      const shown = cut(text, mostText)
      const about = { kind, id, agent, job, subject: shown, askedAt, expiresAt }
      if (kind === 'ask') return { ...about, text: `${agent} asks: ${shown}`, hint: `paddock answer ${id} 'TEXT'` }
      return { ...about, text: `${agent} wants to call ${shown}`, hint: `paddock answer ${id} allow, or deny` }
    })
  const ofAgent = async ({ agent, problem, state }: AgentNow): Promise<readonly Item[]> => {
    const about = { id: agent.id, agent: agent.name, subject: null, askedAt: null, expiresAt: null }
    const items: Item[] = []
    if (agent.waiting !== null)
      items.push({
        ...about,
        kind: 'approval',
        job: null,
        text: `${agent.waiting.by} saved a manifest of ${agent.name} that an owner has to approve.`,
        hint: `paddock agent show ${agent.name}`,
      })
    if (problem !== null && agent.isApproved)
      items.push({ ...about, kind: state === 'failing' ? 'agent' : 'budget', job: null, text: problem, hint: null })
    const [last] = fleet.jobs.list({ agent: agent.id }, { before: null, limit: 1 })
    const { kind, message, hint } = last?.result?.outcome ?? {}
    if (last !== undefined && kind === 'login-needed') {
      const isModel = agent.manifest.kind === 'model'
      const needs = `${agent.name} needs a ${isModel ? 'key' : 'login'}`
      items.push({
        ...about,
        kind: isModel ? 'key' : 'login',
        job: last.id,
        text: message == null ? `${needs}.` : `${needs}: ${message}.`,
        hint: hint ?? (isModel ? null : `paddock login ${agent.manifest.agent}`),
      })
    }
    return items
  }
  app.get(
    '/api/v1/inbox',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getInbox',
        summary: 'Lists everything that waits for a human: questions of cells, logins, budgets, agents that cannot start.',
        response: { 200: inboxSchema },
      },
    },
    async () => {
      const agents = fleet.agents.list({ after: null, limit: 1_000, archived: false })
      const [asked, others] = await Promise.all([ofCells(), Promise.all(fleet.now(agents).map(ofAgent))])
      return { items: [...ofJobs(), ...asked, ...others.flat()] }
    },
  )
  app.post(
    '/api/v1/inbox/:id/answer',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'answerQuestion',
        summary: 'Answers a question of an agent, or allows or denies a tool call. The first answer counts.',
        params: z.object({
          id: z
            .string()
            .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'is not the id of a question' })
            .describe('The id of the question.'),
        }),
        body: z.strictObject({
          allowed: z.boolean().default(true).describe('For a call: whether to make it. For a question: false if there is no answer.'),
          text: z.string().max(32_000).default('').describe('The answer to a question, or why a call is denied.'),
        }),
        response: { 200: questionAnsweredSchema },
      },
    },
    async (request) => {
      const { allowed, text } = request.body
      const { id } = request.params
      const asked = fleet.questions.list().find((each) => each.id === id)
      if (asked?.kind === 'ask' && allowed && text === '') throw new PaddockError('BAD_INPUT', 'text: a question needs an answer.')
      const { job } = fleet.questions.answer(id, { allowed, text }, callerOf(request).name)
      return { id, job, allowed }
    },
  )
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
