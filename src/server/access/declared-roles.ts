import type { FastifyInstance } from 'fastify'
import { isNeed, type Need } from './roles.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use the route. */
    role?: Need
    /** The route is there only for peers of the Unix socket. */
    over?: 'unix'
    /** A borrower may use the route without a lease, too. */
    withoutLease?: true
    /** The route answers an upgrade to WebSocket. */
    upgrade?: true
    /** The request changes nothing that an audit log should hold, although it is no read. */
    unaudited?: true
    /** The answer goes on until somebody ends it, so its duration says nothing. */
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
