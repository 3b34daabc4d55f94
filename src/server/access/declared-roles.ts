import type { FastifyInstance } from 'fastify'
import { isNeed, type Need } from './role-order.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The roles that may use the route. */
    role?: Need
    /** Set if only peers of the Unix socket can use the route. */
    over?: 'unix'
    /** Set if a borrower may use the route even without a lease. */
    withoutLease?: true
    /** Set if the route answers an upgrade to WebSocket. */
    upgrade?: true
    /** Set if the request is not a read, but changes nothing that belongs in an audit log. */
    unaudited?: true
    /** Set if the response is a stream, whose duration is not a measure of the server. */
    stream?: true
  }
}

/** Makes the registration of a route without a role fail, so that a server with such a route does not start. */
export function requireDeclaredRoles(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!isNeed(route.config?.role))
      throw new Error(`The route ${route.method} ${route.url} does not declare who may use it: set config.role.`)
  })
}
