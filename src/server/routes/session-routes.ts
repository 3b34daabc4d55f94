import * as z from 'zod'
import { callerOf } from '../access/caller.ts'
import { sessionCaller } from '../access/identify.ts'
import { cookieName, halfHeader, sessionMs } from '../access/page-sessions.ts'
import { roles } from '../access/role-order.ts'
import type { Entry } from '../access/server-access.ts'
import { Refusal } from '../problem.ts'
import type { App } from '../server-deps.ts'

/** `/api/v1/session`: logs a browser in and out. */
export function sessionRoutes(app: App, access: Entry): void {
  app.post(
    '/api/v1/session',
    {
      config: { role: 'public' },
      // The sender is not identified yet.
      bodyLimit: 1_024,
      schema: {
        operationId: 'startSession',
        summary: 'Starts a session with the code of a login link, or with a token.',
        body: z.union([z.strictObject({ code: z.string().min(1).max(128) }), z.strictObject({ token: z.string().min(1).max(512) })]),
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
      if (site === null) throw new Refusal('FORBIDDEN', 'Sessions are for browsers. The Unix socket needs none.')
      const { session, cookie, half, expiresAt } = begun(request.body, access)
      // For the audit log: from now on this session is the actor.
      request.caller = sessionCaller(session)
      reply.setCookie(cookieName(site), cookie, {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        secure: site.secure,
        maxAge: sessionMs / 1_000,
      })
      return reply.code(201).send({ half, role: session.role, expiresAt })
    },
  )
  app.get(
    '/api/v1/session',
    {
      config: { role: ['viewer', 'borrower'], withoutLease: true },
      schema: {
        operationId: 'getSession',
        summary: 'Returns the caller as the server identifies it.',
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
      config: { role: ['viewer', 'borrower'], withoutLease: true },
      schema: { operationId: 'endSession', summary: 'Ends this session and its open connections.', response: { 204: z.undefined() } },
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

/** Starts a session. @throws Refusal `UNAUTHENTICATED` for a wrong code or token, `FORBIDDEN` for the token of a lease */
function begun(
  body: { readonly code: string } | { readonly token: string },
  { loginLinks, tokens, sessions }: Entry,
): ReturnType<Entry['sessions']['start']> {
  if ('code' in body) {
    const link = loginLinks.redeem(body.code)
    if (link !== null) return sessions.start(link)
    throw new Refusal('UNAUTHENTICATED', 'The login code is unknown, was used, or is older than five minutes.', {
      hint: 'Get a new one with: paddock open',
    })
  }
  const token = tokens.check(body.token)
  if (token === null)
    throw new Refusal('UNAUTHENTICATED', 'This token is not valid here. It may have expired or been revoked.', {
      hint: 'List the tokens with: paddock token list',
    })
  if (token.role === 'borrower')
    throw new Refusal('FORBIDDEN', 'The token of a lease is for the API, not for this page.', { hint: 'Send it as Authorization: Bearer' })
  return sessions.start(token, token)
}
