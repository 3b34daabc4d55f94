import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Site } from './access/sites.ts'

/** The listener that a connection came in on. */
export type Arrival = { readonly over: 'unix' } | { readonly over: 'tcp'; readonly sites: () => readonly Site[] }

const arrivals = new WeakMap<object, Arrival>()

/** Marks every connection of a server, before a byte of it is read. Nothing that a client sends has a part in it. */
export function markArrivals(server: Server, arrival: Arrival, event: 'connection' | 'secureConnection' = 'connection'): void {
  server.prependListener(event, (socket: Socket) => void arrivals.set(socket, arrival))
}

/** Returns where a connection came in; null if it is of no listener of ours, which is let in nowhere. */
export function arrivalOf(socket: object): Arrival | null {
  return arrivals.get(socket) ?? null
}
