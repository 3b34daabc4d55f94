import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { leaseWishSchema, termsOf } from '../../fleet/leases/terms.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import { refuseUnheldBudget } from '../../fleet/machine/gate.ts'
import type { Lease } from '../../fleet/store/lease-store.ts'
import { callerOf, leaseOf } from '../access/caller.ts'
import type { App } from '../server-deps.ts'
import { leaseSchema, leaseView, ownLeaseSchema, ownLeaseView } from './lease-view-routes.ts'

const params = z.object({ lease: z.string().max(64).describe('Its name or id.') })

export interface LeaseRoutes {
  readonly fleet: Fleet
  readonly capabilities: () => Promise<Capabilities>
}

/** `/api/v1/leases`: lends agents; `/api/v1/lease`: the lease as its borrower sees it. */
export function leaseRoutes(app: App, { fleet, capabilities }: LeaseRoutes): void {
  const { leases, agents } = fleet
  const view = (lease: Lease) => leaseView(lease, agents, Date.now())
  app.get(
    '/api/v1/leases',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'listLeases',
        summary: 'Lists active leases, newest first, then ended ones; at most 200.',
        response: { 200: z.object({ items: z.array(leaseSchema) }) },
      },
    },
    () => ({ items: leases.list().map(view) }),
  )
  app.post(
    '/api/v1/leases',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'createLease',
        summary: "Lends an agent. Only this answer contains the borrower's token.",
        body: leaseWishSchema,
        response: { 201: z.object({ token: z.string().describe("The borrower's secret token."), lease: leaseSchema }) },
      },
    },
    async ({ body }, reply) => {
      const agent = agents.find(body.agent)
      const terms = termsOf(body, agent, Date.now())
      if (body.budget !== undefined) refuseUnheldBudget(body.budget, agent.manifest, await capabilities(), fleet.budgets)
      const { lease, secret } = fleet.lend(terms)
      return reply.code(201).send({ token: secret, lease: view(lease) })
    },
  )
  app.get(
    '/api/v1/leases/:lease',
    {
      config: { role: 'owner' },
      schema: { operationId: 'getLease', summary: 'Returns one lease, and what is left of it.', params, response: { 200: leaseSchema } },
    },
    ({ params: { lease } }) => view(leases.find(lease)),
  )
  app.delete(
    '/api/v1/leases/:lease',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'revokeLease',
        summary: 'Ends a lease: its token, its open connections, its jobs and their cells.',
        params,
        response: { 200: leaseSchema },
      },
    },
    async ({ params: { lease } }) => view(fleet.revoke(leases.find(lease))),
  )
  app.get(
    '/api/v1/lease',
    {
      config: { role: 'borrower' },
      schema: {
        operationId: 'getOwnLease',
        summary: 'Returns what the borrower who asks may use, and what is left of it.',
        response: { 200: ownLeaseSchema },
      },
    },
    (request) => {
      const lease = leases.get(leaseOf(callerOf(request)) ?? '')
      if (lease === null) throw new PaddockError('NOT_FOUND', 'The lease does not exist any more.')
      return ownLeaseView(lease, agents)
    },
  )
}
