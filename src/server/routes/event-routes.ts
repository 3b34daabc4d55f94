import type { EventReader } from '../../fleet/store/event-log.ts'
import type { App } from '../server-deps.ts'
import { fleetEventSchema, streamOf } from '../streams/event-schemas.ts'
import { eventSource } from '../streams/event-source.ts'
import { requireProtocol, type StreamAnswers, streamHeaders, streamQuery } from '../streams/stream-answer.ts'

/** `/api/v1/events` and `/api/v1/watch`: the event log, as server-sent events and over a WebSocket. */
export function eventRoutes(app: App, streams: StreamAnswers, events: EventReader): void {
  const source = eventSource(events)
  app.get(
    '/api/v1/events',
    {
      config: { role: 'viewer', stream: true },
      schema: {
        operationId: 'followEvents',
        summary: 'Follows the events of the fleet as server-sent events.',
        querystring: streamQuery,
        headers: streamHeaders,
        response: { 200: streamOf(fleetEventSchema) },
      },
    },
    (request, reply) => streams.events(request, reply, source),
  )
  app.get(
    '/api/v1/watch',
    {
      websocket: true,
      config: { role: 'viewer', stream: true, upgrade: true },
      schema: { querystring: streamQuery },
      preHandler: requireProtocol,
    },
    (socket, request) => streams.frames(request, socket, source),
  )
}
