import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { OpenStreams } from './access/open-streams.ts'

/** Returns a registry with metrics of the process, the duration of requests by route, and the number of open streams. */
export function measure(app: FastifyInstance, streams: OpenStreams): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Some gauges of the library are named like counters. Others have the same numbers, by type.
  for (const each of registry.getMetricsAsArray())
    if ((each as object) instanceof Gauge && each.name.endsWith('_total')) registry.removeSingleMetric(each.name)
  const seconds = new Histogram({
    name: 'paddock_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer, but for streams.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'paddock_open_streams',
    help: 'Event streams and WebSockets that are open.',
    registers: [registry],
    collect() {
      this.set(streams.size)
    },
  })
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config?.stream === true) return
    // Use only route patterns: clients choose paths, and each path would create a series.
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000)
  })
  return registry
}
