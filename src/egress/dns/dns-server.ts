import type { Socket as UdpSocket } from 'node:dgram'
import type { Server, Socket } from 'node:net'
import { reset } from '../connection/reset.ts'
import type { DnsRespond } from './dns.ts'

/** Maximum number of answers queued in one UDP socket. Further ones are dropped, which UDP permits. */
const maxUnsent = 1_000
const maxQueryBytes = 4_096
const maxTcpConnections = 64
/** Maximum number of bytes of queries that one connection may send ahead of their answers. */
const maxHeldBytes = 64 * 1_024
/** Milliseconds from the end of one query to the end of the next. A slow drip of bytes does not extend this time. */
const tcpQueryMs = 10_000

/** Returns an answer, or null if that fails, for example because the host has run out of file descriptors. The process continues. */
function answered(respond: () => ReturnType<DnsRespond>): ReturnType<DnsRespond> {
  try {
    const response = respond()
    return response instanceof Promise ? response.catch(() => null) : response
  } catch {
    return null
  }
}

/** Answers the queries that reach a UDP socket, until the socket is closed. */
export function serveDnsUdp(socket: UdpSocket, respond: DnsRespond): void {
  let unsent = 0
  let open = true
  const send = (response: Buffer | null, from: { readonly port: number; readonly address: string }): void => {
    if (response === null || !open || unsent >= maxUnsent) return
    unsent++
    socket.send(response, from.port, from.address, () => {
      unsent--
    })
  }
  socket.on('error', () => {})
  socket.once('close', () => {
    open = false
  })
  socket.on('message', (query, from) => {
    if (unsent >= maxUnsent) return
    const response = answered(() => respond(query, 'udp'))
    if (response instanceof Promise) void response.then((late) => send(late, from))
    else send(response, from)
  })
}

/**
 * Answers queries over TCP (RFC 7766): many on one connection, each preceded by its length in two bytes. A connection that exceeds a
 * limit is reset.
 * @returns a function that closes all connections.
 */
export function serveDnsTcp(server: Server, respond: DnsRespond, options: { readonly queryMs?: number } = {}): () => void {
  const open = new Set<Socket>()
  server.on('error', () => {})
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    if (open.size >= maxTcpConnections) {
      reset(socket)
      return
    }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    serveTcpConnection(socket, respond, options.queryMs ?? tcpQueryMs)
  })
  return () => {
    for (const socket of open) reset(socket)
  }
}

function serveTcpConnection(socket: Socket, respond: DnsRespond, queryMs: number): void {
  let held: Buffer = Buffer.alloc(0)
  let answering = false
  const giveUp = () => reset(socket)
  let deadline = setTimeout(giveUp, queryMs)
  socket.once('close', () => clearTimeout(deadline))
  socket.on('drain', () => socket.resume())
  /** Sends one answer. Returns false if the connection must not be served any longer. */
  const send = (response: Buffer | null): boolean => {
    if (response === null || socket.destroyed) {
      giveUp()
      return false
    }
    clearTimeout(deadline)
    deadline = setTimeout(giveUp, queryMs)
    const prefix = Buffer.alloc(2)
    prefix.writeUInt16BE(response.length)
    if (!socket.write(Buffer.concat([prefix, response]))) socket.pause()
    return true
  }
  const work = async (): Promise<void> => {
    answering = true
    while (held.length >= 2) {
      const length = held.readUInt16BE(0)
      if (length <= maxQueryBytes && held.length < 2 + length) break
      const response = length > maxQueryBytes ? null : answered(() => respond(held.subarray(2, 2 + length), 'tcp'))
      held = held.subarray(2 + length)
      if (response instanceof Promise) socket.pause()
      if (!send(response instanceof Promise ? await response : response)) return
    }
    answering = false
    if (socket.writableNeedDrain === false) socket.resume()
  }
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    if (!answering) work().catch(giveUp)
    else if (held.length > maxHeldBytes) giveUp()
  })
}
