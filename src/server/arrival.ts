import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Site } from './access/sites.ts'

/** The listener that accepted a connection. */
export type Arrival = { readonly over: 'unix' } | { readonly over: 'tcp'; readonly sites: () => readonly Site[] }

const arrivals = new WeakMap<object, Arrival>()

/** Marks every connection of a server before a byte of it is read, so that data from the client cannot affect the mark. */
export function markArrivals(server: Server, arrival: Arrival, event: 'connection' | 'secureConnection' = 'connection'): void {
  server.prependListener(event, (socket: Socket) => void arrivals.set(socket, arrival))
}

/** Returns the listener of a connection; null if the listener is not one of ours. No route accepts such a connection. */
export function arrivalOf(socket: object): Arrival | null {
  return arrivals.get(socket) ?? null
}
