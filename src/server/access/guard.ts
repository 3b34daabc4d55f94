import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PathMethods } from '../methods.ts'
import { commandCaller } from '../own-process.ts'
import { noRoute, Refusal } from '../problem.ts'
import { leaseOf } from './caller.ts'
import { type Credentials, identify } from './identify.ts'
import { mayUse } from './role-order.ts'
import { checkSite } from './same-site.ts'

const tokenShape = /pdk_[\w-]{20}/

/** Accepts or refuses each request before its body is read. Checks the site, then the credential, then the role. */
export function guard(app: FastifyInstance, credentials: Credentials, methods: PathMethods): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('site', null)
  app.addHook('onRequest', async (request, reply) => {
    request.site = checkSite(request)
    refuseTokenInUrl(request)
    const { role, over, upgrade, withoutLease, stream } = request.routeOptions.config
    // Check this here, before the body is read. The answer is the same for everybody.
    if (request.is404 || (stream === true && request.method === 'HEAD')) {
      const allow = methods.allow(request.raw.url ?? '')
      if (allow === null && isNavigation(request) && request.server.page.send !== null) return request.server.page.send(reply.code(404))
      if (allow === null || request.method !== 'OPTIONS') throw noRoute(allow)
      return reply.code(204).header('allow', allow).send()
    }
    // Registration checks this. If it ever fails to, the route stays closed.
    if (role === undefined) throw new Refusal('FORBIDDEN', 'This route has no role.')
    if (role !== 'public') {
      request.caller = identify(request, credentials)
      if (!mayUse(request.caller.role, role))
        throw new Refusal('FORBIDDEN', `This requires the role ${[role].flat().join(' or ')}; yours is ${request.caller.role}.`)
      if (withoutLease !== true) leaseOf(request.caller)
    }
    if (over === 'unix' && request.site !== null)
      throw new Refusal('FORBIDDEN', 'This route is available only over the Unix socket of the server.', {
        hint: 'Run the command on the machine of the server',
      })
    if (request.ws !== (upgrade === true))
      throw new Refusal('BAD_INPUT', upgrade === true ? 'This path accepts only WebSockets.' : 'This path does not accept WebSockets.')
  })
  // The last hook before the route: reading the body would lose the caller again.
  app.addHook('preHandler', (request, _reply, done) => commandCaller.run(request.caller?.account ?? 'public', done))
}

/** Returns whether a person opens an address of the page in a browser. Programs, and everything under /api, get problems as JSON. */
function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && !/^\/api(?:\/|$)/.test(url) && /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(headers.accept ?? '')
}

/** Refuses a token in a URL, because URLs end up in logs and histories, and explains this to the user. */
function refuseTokenInUrl(request: FastifyRequest): void {
  if (tokenShape.test(request.raw.url ?? ''))
    throw new Refusal('BAD_INPUT', 'A token is not accepted in a URL.', {
      hint: 'Revoke that token, since URLs are written to logs, and send the new one as Authorization: Bearer',
    })
}
