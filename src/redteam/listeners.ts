import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { messageOf } from '../base/errors.ts'

/** A server of the host that counts connections, and sends the same word on each. */
export interface Listener {
  readonly port: number
  connections(): number
  close(): Promise<void>
}

/** The address to listen on: a free TCP port of an address, or a Unix socket (with a leading NUL an abstract one, unix(7)). */
export type ListenAt = { readonly address: string } | { readonly path: string }

/** @returns the listener, or the reason as text if it cannot listen there */
export function listen(at: ListenAt, word: string): Promise<Listener | string> {
  let count = 0
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    count++
    open.add(socket.on('error', () => undefined))
    socket.once('close', () => open.delete(socket))
    socket.setTimeout(10_000, () => socket.destroy()).resume()
    socket.end(`${word}\n`)
  })
  server.maxConnections = 64
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(messageOf(error)))
    const listening = (): void => {
      server.on('error', () => undefined)
      resolve({
        port: 'path' in at ? 0 : (server.address() as AddressInfo).port,
        connections: () => count,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            for (const each of open) each.destroy()
          }),
      })
    }
    if ('path' in at) server.listen(at.path, listening)
    else server.listen(0, at.address, listening)
  })
}

/** Returns the number of connections as text; null if there were none. */
export function cameTo(listener: Listener): string | null {
  const count = listener.connections()
  return count === 0 ? null : `${count === 1 ? 'one connection' : `${count} connections`} arrived`
}
