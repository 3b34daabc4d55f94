import * as z from 'zod'
import type { EventReader } from '../../fleet/store/event-log.ts'
import { roles } from '../access/role-order.ts'
import type { Access } from '../access/server-access.ts'
import { Refusal } from '../problem.ts'
import type { App } from '../server-deps.ts'
import { listQuery, page, pageOf } from './lists.ts'

export const tokenName = z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/, {
  error: 'must have 1 to 64 lower-case letters, digits, dots, hyphens or underscores, with a letter or digit at both ends',
})
const time = z.iso.datetime({ error: 'must be a time such as 2027-01-31T12:00:00Z' })

export const tokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(roles),
    createdAt: z.string(),
    expiresAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
    lastUsedAt: z.string().nullable(),
    lease: z.string().nullable().describe('The id of the lease that it was made for.'),
  })
  .meta({ id: 'Token' })

/** `/api/v1/tokens`: the credentials of TCP clients. Only owners see or change them. */
export function tokenRoutes(app: App, access: Access, events: EventReader): void {
  app.get(
    '/api/v1/tokens',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'listTokens',
        summary: 'Lists tokens, without their secrets.',
        querystring: z.strictObject(listQuery),
        response: { 200: pageOf(tokenSchema) },
      },
    },
    async (request) => {
      const asOf = events.last
      return { ...page(access.tokens.list(), ({ id }) => id, request.query), asOf }
    },
  )
  app.post(
    '/api/v1/tokens',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'createToken',
        summary: 'Creates a token. Only this answer contains its secret.',
        body: z.strictObject({
          name: tokenName,
          role: z.enum(roles),
          expiresAt: time.nullable().default(null).describe('When it expires; null if never.'),
        }),
        response: { 201: z.object({ token: z.string().describe('The secret.'), facts: tokenSchema }) },
      },
    },
    async (request, reply) => {
      const { expiresAt } = request.body
      if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
        throw new Refusal('BAD_INPUT', `body.expiresAt: ${expiresAt} is in the past.`)
      const { token, secret } = access.tokens.create(request.body)
      return reply.code(201).send({ token: secret, facts: token })
    },
  )
  app.post(
    '/api/v1/tokens/:token/revoke',
    {
      config: { role: 'owner' },
      schema: {
        operationId: 'revokeToken',
        summary: 'Revokes a token by name or id, and ends its open connections.',
        params: z.strictObject({ token: z.string().min(1).max(64).describe('Its name or id.') }),
        response: { 200: tokenSchema },
      },
    },
    async (request) => {
      const token = access.tokens.revoke(request.params.token)
      access.streams.endOf(`token:${token.id}`)
      for (const session of access.sessions.ofToken(token.id)) {
        access.sessions.end(session)
        access.streams.endOf(`session:${session}`)
      }
      return token
    },
  )
}
