import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { connectTcp } from '../../src/egress/connection/dial.ts'
import { type Send, sender } from '../../src/fleet/webhooks/send.ts'

export interface Received {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Returns the id of the event in a delivery. */
export function eventOf({ body }: Pick<Received, 'body'>): number {
  return (JSON.parse(body) as { readonly event: { readonly id: number } }).event.id
}

/** A real HTTP server on loopback that answers for every public address and name. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  readonly received: Received[]
  /** Returns the ids of the received events. */
  ids(): readonly number[]
  /** Addresses that were dialled. */
  readonly dialled: string[]
  /** Checks addresses as usual, then dials the receiver instead of the address. */
  readonly send: Send
}

/** @param elsewhere a port that is dialled instead of the receiver's */
export async function openReceiver(
  answer: (response: ServerResponse, received: Received) => unknown = (response) => response.end(),
  tls?: { readonly cert: string; readonly key: string },
  { elsewhere, timeoutMs }: { readonly elsewhere?: number; readonly timeoutMs?: number } = {},
): Promise<Receiver> {
  const received: Received[] = []
  const dialled: string[] = []
  const listener: RequestListener = async (request, response) => {
    const one = { url: request.url ?? '', headers: request.headers, body: (await buffer(request)).toString() }
    received.push(one)
    answer(response, one)
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    received,
    dialled,
    ids: () => received.map(eventOf),
    send: sender(
      {
        resolver: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] },
        own: () => new Set(),
        connect: (target, signal) => {
          dialled.push(`${target.address}:${target.port}`)
          return connectTcp({ address: '127.0.0.1', family: 4, port: elsewhere ?? port }, signal)
        },
      },
      timeoutMs,
    ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
