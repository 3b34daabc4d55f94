import type { FastifyInstance } from 'fastify'
import { isNeed, type Need } from './roles.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The roles that may use the route. */
    role?: Need
    /** The route exists only for peers of the Unix socket. */
    over?: 'unix'
    /** A borrower may use the route even without a lease. */
    withoutLease?: true
    /** The route answers an upgrade to WebSocket. */
    upgrade?: true
    /** The request is not a read, but changes nothing that belongs in an audit log. */
    unaudited?: true
    /** The answer is a stream, so its duration is not a measure of the server. */
    stream?: true
  }
}

/** Makes a route without a role fail its registration, so that a server with one does not start. */
export function requireDeclaredRoles(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!isNeed(route.config?.role))
      throw new Error(`The route ${route.method} ${route.url} does not declare who may use it: set config.role.`)
  })
}
