import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import swagger from '@fastify/swagger'
import websocket from '@fastify/websocket'
import { fastify, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { largestFrame } from '../fleet/sessions/viewer-frames.ts'
import { requireDeclaredRoles } from './access/declared-roles.ts'
import { guard } from './access/guard.ts'
import { type Access, type Entry, openAccess } from './access/server-access.ts'
import { streamProtocol } from './access/tickets.ts'
import { recordChanges } from './changed-files.ts'
import { answerFailures, sendFailure } from './failures.ts'
import { PathMethods } from './methods.ts'
import { measure } from './metrics.ts'
import { openApi } from './openapi.ts'
import { eventRoutes } from './routes/event-routes.ts'
import { healthRoutes } from './routes/health-routes.ts'
import { loginLinkRoutes } from './routes/login-link-routes.ts'
import { metricsRoutes } from './routes/metrics-routes.ts'
import { openApiRoutes } from './routes/openapi-routes.ts'
import { sessionRoutes } from './routes/session-routes.ts'
import { ticketRoutes } from './routes/ticket-routes.ts'
import { tokenRoutes } from './routes/token-routes.ts'
import type { App, AppDeps } from './server-deps.ts'
import { logAnswers } from './server-log.ts'
import { streamLimits } from './streams/pump.ts'
import { StreamAnswers } from './streams/stream-answer.ts'

/** The default limit in bytes. A prompt of 256 KiB is up to six times as long if each character is escaped. */
const defaultBodyLimit = 2 * 1024 * 1024

/**
 * Returns the app; `listen` gives it connections. Fails on startup if a route does not declare a role. Closing the app ends all
 * streams.
 */
export function buildApp(deps: AppDeps): App {
  const access = openAccess(deps.tokens, deps.sessions ?? null, deps.clock)
  const app = guardedApp(deps, access)
  app.register(swagger, openApi(deps.version))
  recordChanges(app, deps.onChange)
  logAnswers(app)
  const metrics = measure(app, access.streams)
  app.register(async (routes) => addRoutes(routes as App, deps, access, metrics))
  return app
}

/** Returns an app without routes. For each request, the site, the credential and the role of the route are checked. */
export function guardedApp(deps: Pick<AppDeps, 'log' | 'bodyLimit'>, access: Entry): App {
  const app = fastify({
    loggerInstance: deps.log,
    // Fastify's own log lines contain the URL.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: deps.bodyLimit ?? defaultBodyLimit,
    exposeHeadRoutes: true,
    frameworkErrors: sendFailure,
    forceCloseConnections: true,
  }).withTypeProvider<ZodTypeProvider>()
  app.decorate('page', { send: null })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  // Forms of other sites can send text, which this server does not accept.
  app.removeContentTypeParser('text/plain')
  answerFailures(app)
  requireDeclaredRoles(app)
  const methods = new PathMethods(app)
  app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
    },
    // The host name may also belong to other servers on other ports.
    strictTransportSecurity: false,
  })
  app.register(cookie)
  app.register(websocket, {
    // Without this, the connection would be closed without a code.
    preClose: (done) => {
      access.streams.endAll()
      done()
    },
    // Frames that are too large and broken connections are caused by the client.
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, 'WebSocket failed')
      socket.terminate()
    },
    options: {
      // Only keyboard input and pasted text are this large; other streams accept nothing.
      maxPayload: largestFrame,
      perMessageDeflate: false,
      autoPong: false,
      handleProtocols: (offered) => (offered.has(streamProtocol) ? streamProtocol : false),
    },
  })
  guard(app, access, methods)
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  return app
}

async function addRoutes(app: App, deps: AppDeps, access: Access, metrics: ReturnType<typeof measure>): Promise<void> {
  const streams = new StreamAnswers(access, deps.streamLimits ?? streamLimits)
  healthRoutes(app, deps)
  metricsRoutes(app, metrics)
  openApiRoutes(app)
  tokenRoutes(app, access, deps.events)
  sessionRoutes(app, access)
  loginLinkRoutes(app, access)
  ticketRoutes(app, access)
  eventRoutes(app, streams, deps.events)
  await deps.routes?.(app, { access, streams, metrics })
}
