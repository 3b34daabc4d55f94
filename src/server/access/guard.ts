import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../problem.ts'
import { type Credentials, identify } from './identify.ts'
import { mayUse } from './roles.ts'
import { checkSite } from './same-site.ts'

const tokenShape = /pdk_[\w-]{20}/

/** Lets a request in or refuses it, before its body is read: the site, then the credential, then the role. */
export function guard(app: FastifyInstance, credentials: Credentials): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('site', null)
  app.addHook('onRequest', async (request) => {
    request.site = checkSite(request)
    refuseTokenInUrl(request)
    if (request.is404) return
    const { role, over, upgrade } = request.routeOptions.config
    // A route of this app always has a role; what has none is open to nobody.
    if (role === undefined) throw new Refusal('FORBIDDEN', 'Nobody may use this.')
    if (role !== 'public') {
      request.caller = identify(request, credentials)
      if (!mayUse(request.caller.role, role))
        throw new Refusal('FORBIDDEN', `This needs the role ${[role].flat().join(' or ')}, and yours is ${request.caller.role}.`)
    }
    if (over === 'unix' && request.site !== null)
      throw new Refusal('FORBIDDEN', 'This is answered only over the Unix socket of the server.', {
        hint: 'Run the command on the machine of the server',
      })
    if (request.ws !== (upgrade === true))
      throw new Refusal('BAD_INPUT', upgrade === true ? 'This path answers WebSockets only.' : 'This path answers no WebSocket.')
  })
}

/** URLs end up in logs and histories, so a token in one is never accepted, and its user is told. */
function refuseTokenInUrl(request: FastifyRequest): void {
  if (tokenShape.test(request.raw.url ?? ''))
    throw new Refusal('BAD_INPUT', 'A token is not accepted in a URL.', {
      hint: 'Revoke that token, since URLs are written to logs, and send the new one as Authorization: Bearer',
    })
}
