import type { Registry } from 'prom-client'
import * as z from 'zod'
import type { App } from '../server-deps.ts'

/** `/metrics`, for Prometheus. */
export function metricsRoutes(app: App, registry: Registry): void {
  app.get(
    '/metrics',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'getMetrics',
        summary: 'Returns metrics in the Prometheus format.',
        response: { 200: { description: 'Metrics.', content: { 'text/plain': { schema: z.string() } } } },
      },
    },
    async (_request, reply) => {
      const text = await registry.metrics()
      return reply.type(registry.contentType).serializer(String).send(text)
    },
  )
}
