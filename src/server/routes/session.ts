import * as z from 'zod'
import type { Access } from '../access/access.ts'
import { callerOf } from '../access/caller.ts'
import { addressOf } from '../access/identify.ts'
import { roles } from '../access/roles.ts'
import { cookieName, halfHeader, sessionMs } from '../access/sessions.ts'
import type { App } from '../deps.ts'
import { Refusal } from '../problem.ts'

/** `/api/v1/session`: a browser comes in with a login link, and goes. */
export function sessionRoutes(app: App, access: Access): void {
  app.post(
    '/api/v1/session',
    {
      config: { role: 'public' },
      schema: {
        operationId: 'startSession',
        summary: 'Starts a session with the code of a login link.',
        body: z.strictObject({ code: z.string().min(1).max(128) }),
        response: {
          201: z.object({
            half: z.string().describe(`The half of the session that goes in the header ${halfHeader}; the other is a cookie.`),
            role: z.enum(roles),
            expiresAt: z.string(),
          }),
        },
      },
    },
    async (request, reply) => {
      const { site } = request
      if (site === null) throw new Refusal('FORBIDDEN', 'A session is for a browser; over the Unix socket you need none.')
      const role = access.tries.attempt(addressOf(request), () => access.loginLinks.redeem(request.body.code))
      if (role === null)
        throw new Refusal('UNAUTHENTICATED', 'This login link is not good: it was used, or is older than five minutes.', {
          hint: 'Get a new one with: paddock open',
        })
      const { cookie, half, expiresAt } = access.sessions.start(role)
      reply.setCookie(cookieName(site), cookie, {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        secure: site.secure,
        maxAge: sessionMs / 1_000,
      })
      return reply.code(201).send({ half, role, expiresAt })
    },
  )
  app.get(
    '/api/v1/session',
    {
      config: { role: ['viewer', 'borrower'] },
      schema: {
        operationId: 'getSession',
        summary: 'Returns who you are to the server.',
        response: { 200: z.object({ kind: z.enum(['socket', 'token', 'session']), name: z.string(), role: z.enum(roles) }) },
      },
    },
    async (request) => {
      const { kind, name, role } = callerOf(request)
      return { kind, name, role }
    },
  )
  app.delete(
    '/api/v1/session',
    {
      config: { role: ['viewer', 'borrower'] },
      schema: { operationId: 'endSession', summary: 'Ends this session and what it has open.', response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      if (caller.kind !== 'session' || request.site === null)
        throw new Refusal('BAD_INPUT', 'This request has no session.', { hint: 'To end a token, run: paddock token revoke NAME' })
      access.sessions.end(caller.credential.slice('session:'.length))
      access.streams.endOf(caller.credential)
      return reply.clearCookie(cookieName(request.site), { path: '/', secure: request.site.secure }).code(204).send(undefined)
    },
  )
}
