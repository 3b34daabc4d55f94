import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type DestinationStream, type Level, pino } from 'pino'
import { redact } from '../base/errors.ts'

/**
 * Returns a server's log: JSON lines, to standard error unless `to` is given. Requests are logged by their route, never with path, query,
 * headers or body.
 */
export function serverLog(level: Level | 'silent', to: DestinationStream = pino.destination({ fd: 2, sync: true })): FastifyBaseLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['req', 'res', 'headers', 'authorization', 'cookie', '*.authorization', '*.cookie', '*.headers'], remove: true },
      serializers: { err: errorFacts },
    },
    to,
  )
}

/** Logs one line for each response. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const facts = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      caller: request.caller?.name ?? null,
    }
    request.log.info(facts, 'answered')
  })
}

function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { message: redact(String(error)) }
  return { name: error.name, message: redact(error.message), stack: redact(error.stack ?? '') }
}
