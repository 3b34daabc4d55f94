import * as z from 'zod'
import type { FleetSession } from '../../fleet/agents/fleet-terminals.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { sizeSchema } from '../../fleet/sessions/viewer-frames.ts'
import { callerOf } from '../access/caller.ts'
import { mayUse } from '../access/roles.ts'
import type { App } from '../deps.ts'
import { requireProtocol, type StreamAnswers } from '../streams/answer.ts'
import { relayTerminal } from '../streams/terminal.ts'

const sessionSchema = z
  .object({
    id: z.string(),
    agent: z.string().describe('The name of its agent.'),
    command: z.array(z.string()).describe('The program and its arguments.'),
    startedAt: z.string(),
    columns: z.int(),
    rows: z.int(),
    viewers: z.int().describe('How many look at it.'),
    typist: z.string().nullable().describe('Who types: the name of a credential; null: nobody.'),
  })
  .meta({ id: 'Terminal', description: 'A terminal of an agent, in a cell of its own.' })

const params = z.object({ session: z.string().max(64) })
const flag = z.enum(['true', 'false']).optional()
const number = z.string().regex(/^[1-9]\d{0,3}$/, { error: 'must be a number of at most four digits' })

/** `/api/v1/sessions`: terminals. */
export function terminalRoutes(app: App, { fleet, streams }: { readonly fleet: Fleet; readonly streams: StreamAnswers }): void {
  const { terminals } = fleet
  app.get(
    '/api/v1/sessions',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'listTerminals',
        summary: 'The terminals that are open, oldest first.',
        response: { 200: z.object({ items: z.array(sessionSchema) }) },
      },
    },
    async () => ({ items: terminals.list().map(view) }),
  )
  app.get(
    '/api/v1/sessions/:session',
    {
      config: { role: 'viewer' },
      schema: { operationId: 'getTerminal', summary: 'One terminal.', params, response: { 200: sessionSchema } },
    },
    async (request) => view(terminals.find(request.params.session)),
  )
  app.post(
    '/api/v1/agents/:agent/sessions',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'openTerminal',
        summary: 'Opens a terminal in the home and workspace of an agent.',
        params: z.object({ agent: z.string().max(100) }),
        body: z.strictObject({
          command: z
            .array(z.string().min(1).max(32_000))
            .min(1)
            .max(256)
            .optional()
            .describe('What runs in it. Absent: the CLI or the command of the agent, or a shell for a model.'),
          size: sizeSchema.strict().default({ columns: 80, rows: 24 }),
        }),
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => {
      const { command = null, size } = request.body
      const session = await terminals.open(fleet.agents.find(request.params.agent), { command, size })
      return reply.code(201).header('location', `/api/v1/sessions/${session.session}`).send(view(session))
    },
  )
  app.delete(
    '/api/v1/sessions/:session',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'endTerminal',
        summary: 'Ends a terminal. It is gone once its cell is.',
        params,
        response: { 202: sessionSchema },
      },
    },
    async (request, reply) => {
      const session = terminals.find(request.params.session)
      terminals.close(session)
      return reply.code(202).send(view(session))
    },
  )
  app.get(
    '/api/v1/sessions/:session/terminal',
    {
      websocket: true,
      config: { role: 'viewer', stream: true, upgrade: true },
      schema: {
        params,
        querystring: z.strictObject({
          columns: number.optional(),
          rows: number.optional(),
          takes: flag.describe('Types as soon as it is there, also if somebody else does.'),
          answers: flag.describe('What shows the terminal answers questions of programs itself.'),
        }),
      },
      preHandler: [requireProtocol, async (request) => void terminals.find((request.params as z.output<typeof params>).session)],
    },
    async (socket, request) => {
      const { columns = '80', rows = '24', takes, answers } = request.query
      const caller = callerOf(request)
      const size = sizeSchema.parse({ columns: Math.max(2, Math.min(1_000, Number(columns))), rows: Math.min(1_000, Number(rows)) })
      const facts = {
        name: caller.name,
        mayType: mayUse(caller.role, 'operator'),
        takes: takes === 'true',
        answers: answers === 'true',
        size,
      }
      await streams.terminal(request, socket, (following) =>
        relayTerminal(socket, () => terminals.view(terminals.find(request.params.session), facts), following),
      )
    },
  )
}

function view({ session, agent, command, startedAt, columns, rows, viewers, typist }: FleetSession) {
  return { id: session, agent: agent.name, command, startedAt, columns, rows, viewers, typist }
}
