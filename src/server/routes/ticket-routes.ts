import * as z from 'zod'
import { callerOf } from '../access/caller.ts'
import type { Access } from '../access/server-access.ts'
import { streamProtocol, ticketMs, ticketPrefix } from '../access/tickets.ts'
import type { App } from '../server-deps.ts'

/** `/api/v1/tickets`: tickets with which a page opens a WebSocket. */
export function ticketRoutes(app: App, access: Access): void {
  app.post(
    '/api/v1/tickets',
    {
      config: { role: ['viewer', 'borrower'], withoutLease: true, unaudited: true },
      schema: {
        operationId: 'createTicket',
        summary: 'Creates a ticket for one WebSocket connection.',
        response: {
          201: z.object({
            protocols: z.array(z.string()).describe('The subprotocols to open the WebSocket with; one of them is the ticket.'),
            expiresInSeconds: z.int(),
          }),
        },
      },
    },
    async (request, reply) => {
      const ticket = access.tickets.issue(callerOf(request))
      return reply.code(201).send({ protocols: [streamProtocol, `${ticketPrefix}${ticket}`], expiresInSeconds: ticketMs / 1_000 })
    },
  )
}
