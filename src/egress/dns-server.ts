import type { Socket as UdpSocket } from 'node:dgram'
import type { Server, Socket } from 'node:net'
import { answer, type DnsDecide } from './dns.ts'
import { reset } from './reset.ts'

/** Answers that may wait in one UDP socket; further ones are dropped, as UDP may. */
const maxUnsent = 1_000
const maxQueryBytes = 4_096
const maxTcpConnections = 64
/** Milliseconds from the end of one query to the end of the next: a slow drip of bytes does not extend it. */
const tcpQueryMs = 10_000

/** Answers the queries that reach a UDP socket, until it is closed. */
export function serveDnsUdp(socket: UdpSocket, decide: DnsDecide): void {
  let unsent = 0
  socket.on('error', () => {})
  socket.on('message', (query, from) => {
    if (unsent >= maxUnsent) return
    const response = answer(query, decide)
    if (response === null) return
    unsent++
    socket.send(response, from.port, from.address, () => {
      unsent--
    })
  })
}

/**
 * Answers queries over TCP (RFC 7766): many on one connection, each behind its length in two bytes. A connection that exceeds a
 * limit is reset.
 * @returns a function that ends all connections.
 */
export function serveDnsTcp(server: Server, decide: DnsDecide, options: { readonly queryMs?: number } = {}): () => void {
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
    serveTcpConnection(socket, decide, options.queryMs ?? tcpQueryMs)
  })
  return () => {
    for (const socket of open) reset(socket)
  }
}

function serveTcpConnection(socket: Socket, decide: DnsDecide, queryMs: number): void {
  let held: Buffer = Buffer.alloc(0)
  const giveUp = () => reset(socket)
  let deadline = setTimeout(giveUp, queryMs)
  socket.once('close', () => clearTimeout(deadline))
  socket.on('drain', () => socket.resume())
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length >= 2) {
      const length = held.readUInt16BE(0)
      if (length <= maxQueryBytes && held.length < 2 + length) return
      const response = length > maxQueryBytes ? null : answer(held.subarray(2, 2 + length), decide)
      held = held.subarray(2 + length)
      if (response === null) {
        giveUp()
        return
      }
      clearTimeout(deadline)
      deadline = setTimeout(giveUp, queryMs)
      const prefix = Buffer.alloc(2)
      prefix.writeUInt16BE(response.length)
      if (!socket.write(Buffer.concat([prefix, response]))) socket.pause()
    }
  })
}
