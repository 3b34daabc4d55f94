import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { FleetSession } from '../../fleet/agents/fleet-terminals.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { sizeSchema } from '../../fleet/sessions/viewer-frames.ts'
import type { Agent } from '../../fleet/store/agent-store.ts'
import type { Lease } from '../../fleet/store/lease-store.ts'
import { type Caller, callerOf, leaseOf } from '../access/caller.ts'
import { mayUse } from '../access/role-order.ts'
import { Refusal } from '../problem.ts'
import type { App } from '../server-deps.ts'
import { requireProtocol, type StreamAnswers } from '../streams/stream-answer.ts'
import { relayTerminal } from '../streams/terminal-stream.ts'

export const sessionSchema = z
  .object({
    id: z.string(),
    agent: z.string().describe('The name of its agent.'),
    command: z.array(z.string()).describe('The program and its arguments; empty for a borrower.'),
    startedAt: z.string(),
    columns: z.int(),
    rows: z.int(),
    viewers: z.int().describe('How many clients are watching it.'),
    typist: z.string().nullable().describe('The name of the credential that types; null if none does.'),
    lease: z.string().nullable().describe('The name of the lease that it belongs to.'),
  })
  .meta({ id: 'Terminal', description: 'A terminal of an agent, in a separate cell.' })

const newTerminal = z.strictObject({
  command: z
    .array(z.string().min(1).max(32_000))
    .min(1)
    .max(256)
    .optional()
    .describe("The command to run in it. If absent, the agent's CLI or command, or a shell for a model."),
  lease: z.string().max(64).optional().describe('A lease of the agent whose home and workspace it uses; for owners.'),
  size: sizeSchema.strict().default({ columns: 80, rows: 24 }),
})
const params = z.object({ session: z.string().max(64).describe('Its id.') })
const flag = z.enum(['true', 'false']).optional()
const number = z.string().regex(/^[1-9]\d{0,3}$/, { error: 'must be a number of at most four digits' })

/** `/api/v1/sessions`: terminals. */
export function terminalRoutes(app: App, { fleet, streams }: { readonly fleet: Fleet; readonly streams: StreamAnswers }): void {
  const { terminals, leases } = fleet
  const view = ({ session, agent, command, startedAt, columns, rows, viewers, typist, lease }: FleetSession, caller: Caller) => ({
    ...{ id: session, agent: agent.name, command: leaseOf(caller) === null ? command : [], startedAt, columns, rows, viewers, typist },
    lease: lease === null ? null : (leases.get(lease)?.name ?? lease),
  })
  /** Returns whether the caller sees a session. A borrower sees only the terminals of the lease. */
  const isSeen = (session: FleetSession, own: string | null): boolean => own === null || session.lease === own
  const found = (id: string, caller: Caller): FleetSession => {
    const session = terminals.find(id)
    if (!isSeen(session, leaseOf(caller))) throw noSession(id)
    return session
  }
  /** Returns whether the caller may do more than watch. */
  const mayType = (caller: Caller): boolean => {
    const own = leaseOf(caller)
    return own === null ? mayUse(caller.role, 'operator') : leases.get(own)?.terminal === 'type'
  }
  const refuseReader = (caller: Caller): void => {
    if (!mayType(caller)) throw new Refusal('FORBIDDEN', 'This lease has no terminal to type in.')
  }
  /** Opens a terminal for an owner or operator, or the single terminal of a borrower. */
  const opened = async (name: string, { command, size, lease: within }: z.output<typeof newTerminal>, caller: Caller) => {
    const own = leaseOf(caller)
    if (own === null) {
      if (within !== undefined && caller.role !== 'owner') throw new Refusal('FORBIDDEN', 'Only an owner opens a terminal in a lease.')
      const agent = fleet.agents.find(name)
      return terminals.open(agent, {
        command: command ?? null,
        size,
        byOwner: caller.role === 'owner',
        lease: within === undefined ? null : openLease(leases.find(within), agent),
      })
    }
    const lease = leases.get(own)
    const agent = fleet.agents.get(lease?.agent ?? '')
    if (lease === null || agent === null || (name !== agent.name && name !== agent.id))
      throw new PaddockError('NOT_FOUND', `There is no agent named ${name}.`)
    if (command !== undefined || within !== undefined)
      throw new PaddockError('BAD_INPUT', 'body: a borrower names neither command nor lease.')
    if (terminals.isLent(own)) throw new PaddockError('CONFLICT', 'The lease has a terminal.')
    return terminals.open(agent, { command: null, size, byOwner: false, lease: openLease(lease, agent) }).catch(() => {
      // The reason would reveal facts about the machine.
      throw new PaddockError('CELL_FAILED', 'The terminal could not be opened.')
    })
  }
  app.get(
    '/api/v1/sessions',
    {
      config: { role: ['viewer', 'borrower'] },
      schema: {
        operationId: 'listTerminals',
        summary: 'Lists open terminals, oldest first; for a borrower those of the lease.',
        response: { 200: z.object({ items: z.array(sessionSchema) }) },
      },
    },
    async (request) => {
      const caller = callerOf(request)
      const seen = terminals.list().filter((each) => isSeen(each, leaseOf(caller)))
      return { items: seen.map((each) => view(each, caller)) }
    },
  )
  app.get(
    '/api/v1/sessions/:session',
    {
      config: { role: ['viewer', 'borrower'] },
      schema: { operationId: 'getTerminal', summary: 'Returns one terminal.', params, response: { 200: sessionSchema } },
    },
    async (request) => view(found(request.params.session, callerOf(request)), callerOf(request)),
  )
  app.post(
    '/api/v1/agents/:agent/sessions',
    {
      config: { role: ['operator', 'borrower'] },
      schema: {
        operationId: 'openTerminal',
        summary: 'Opens a terminal in the home and workspace of an agent.',
        params: z.object({ agent: z.string().max(100).describe('Its name or id.') }),
        body: newTerminal,
        response: { 201: sessionSchema },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      refuseReader(caller)
      const session = await opened(request.params.agent, request.body, caller)
      return reply.code(201).header('location', `/api/v1/sessions/${session.session}`).send(view(session, caller))
    },
  )
  app.delete(
    '/api/v1/sessions/:session',
    {
      config: { role: ['operator', 'borrower'] },
      schema: {
        operationId: 'endTerminal',
        summary: 'Ends a terminal. It is gone once its cell has ended.',
        params,
        response: { 202: sessionSchema },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      refuseReader(caller)
      const session = found(request.params.session, caller)
      terminals.close(session)
      return reply.code(202).send(view(session, caller))
    },
  )
  app.get(
    '/api/v1/sessions/:session/terminal',
    {
      websocket: true,
      config: { role: ['viewer', 'borrower'], stream: true, upgrade: true },
      schema: {
        params,
        querystring: z.strictObject({
          columns: number.optional(),
          rows: number.optional(),
          takes: flag.describe('Whether it starts typing at once, even if somebody else is typing.'),
          answers: flag.describe("Whether the client's terminal itself answers queries of programs."),
          acknowledges: flag.describe('Whether it reports how many bytes it has read, and is sent no more than it reads.'),
        }),
      },
      preHandler: [requireProtocol, async (request) => void found((request.params as z.output<typeof params>).session, callerOf(request))],
    },
    async (socket, request) => {
      const { columns = '80', rows = '24', takes, answers, acknowledges } = request.query
      const caller = callerOf(request)
      const size = sizeSchema.parse({ columns: Math.max(2, Math.min(1_000, Number(columns))), rows: Math.min(1_000, Number(rows)) })
      const facts = {
        name: caller.name,
        mayType: mayType(caller),
        takes: takes === 'true',
        answers: answers === 'true',
        isBorrower: leaseOf(caller) !== null,
        size,
      }
      await streams.terminal(request, socket, (following) =>
        relayTerminal(socket, () => terminals.view(found(request.params.session, caller), facts), following, {
          acknowledges: acknowledges === 'true',
        }),
      )
    },
  )
}

function noSession(id: string): PaddockError {
  return new PaddockError('NOT_FOUND', `There is no session ${id}, or it has ended.`, { hint: 'Run: paddock session list' })
}

function openLease(lease: Lease, agent: Agent): Lease {
  if (lease.agent !== agent.id) throw new PaddockError('BAD_INPUT', `body.lease: ${lease.name} is of another agent.`)
  if (lease.revokedAt !== null || lease.endedAt !== null) throw new PaddockError('CONFLICT', `The lease ${lease.name} has ended.`)
  return lease
}
