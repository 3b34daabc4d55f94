import type { FastifyInstance } from 'fastify'
import type { AppDeps } from './server-deps.ts'

const reading = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Reports every state change and its sender to the audit log before the response is sent. */
export function recordChanges(app: FastifyInstance, onChange: AppDeps['onChange']): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (reading.has(request.method) || request.is404 || request.routeOptions.config.unaudited === true || reply.statusCode >= 400)
      return payload
    await onChange({
      actor: request.caller?.name ?? 'public',
      method: request.method,
      route: request.routeOptions.url ?? '',
      params: request.params as Readonly<Record<string, unknown>>,
      status: reply.statusCode,
    })
    return payload
  })
}
