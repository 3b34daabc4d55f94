import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIP, Socket } from 'node:net'

/** Sends a query to a resolver of the host and returns its response unchanged, or null if no response arrived in time. Never rejects. */
export type DnsForward = (query: Buffer, transport: 'udp' | 'tcp') => Promise<Buffer | null>

const serverMs = 3_000
const maxPending = 256
const maxResponseBytes = 65_535

/**
 * Forwards queries to the resolvers in the host's resolv.conf(5), one after the other, each from a new port and with a new id (RFC 5452).
 * Ignores responses to other questions.
 */
export function forwardDns(servers: () => readonly string[] = () => process.getBuiltinModule('node:dns').getServers()): DnsForward {
  let pending = 0
  return async (query, transport) => {
    if (pending >= maxPending) return null
    pending++
    try {
      for (const server of servers()) {
        const { address, port } = addressOf(server)
        const id = randomInt(65_536)
        const asked = Buffer.from(query)
        asked.writeUInt16BE(id, 0)
        const response = await (transport === 'udp' ? overUdp(asked, address, port) : overTcp(asked, address, port))
        if (response === null) continue
        response.writeUInt16BE(query.readUInt16BE(0), 0)
        return response
      }
      return null
    } finally {
      pending--
    }
  }
}

/** Parses the format of getServers(). A port follows only if it is not 53; in that case an IPv6 address is in brackets. */
function addressOf(server: string): { readonly address: string; readonly port: number } {
  const found = /^\[(.*)\]:(\d+)$/.exec(server) ?? (isIP(server) === 0 ? /^(.*):(\d+)$/.exec(server) : null)
  return { address: found?.[1] ?? server, port: Number(found?.[2] ?? 53) }
}

/** Returns true for a response with the same id and the same question, ignoring case (RFC 5452, section 9.1). */
function answers(response: Buffer, query: Buffer): boolean {
  if (response.length < 12 || response.readUInt16BE(0) !== query.readUInt16BE(0) || (response.readUInt16BE(2) & 0x8000) === 0) return false
  const question = questionOf(query)
  return response.readUInt16BE(4) === 1 && same(response.subarray(12, 12 + question.length), question)
}

/** Returns the question of a query that has already been parsed: an uncompressed name, type and class. */
function questionOf(query: Buffer): Buffer {
  let at = 12
  while (at < query.length && query[at] !== 0) at += 1 + (query[at] ?? 0)
  return query.subarray(12, at + 5)
}

function same(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && one.toString('latin1').toLowerCase() === other.toString('latin1').toLowerCase()
}

function overUdp(query: Buffer, address: string, port: number): Promise<Buffer | null> {
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  const { promise, settle } = inTime(() => socket.close())
  // The listener stays as long as the socket is open, because an unhandled error would end the process.
  socket.on('error', () => settle(null))
  socket.on('message', (response) => {
    if (answers(response, query)) settle(response)
  })
  // A connected socket receives datagrams only from that server. The callback also runs if there is no route to the server (connect(2)).
  attempt(() => socket.connect(port, address, (error?: Error) => (error == null ? socket.send(query) : settle(null))), settle)
  return promise
}

function overTcp(query: Buffer, address: string, port: number): Promise<Buffer | null> {
  const socket = new Socket()
  const { promise, settle } = inTime(() => socket.destroy())
  let held: Buffer = Buffer.alloc(0)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(query.length)
  socket.on('connect', () => socket.write(Buffer.concat([length, query])))
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk])
    if (held.length < 2 || held.length < 2 + held.readUInt16BE(0)) {
      if (held.length > maxResponseBytes + 2) settle(null)
      return
    }
    const response = Buffer.from(held.subarray(2, 2 + held.readUInt16BE(0)))
    settle(answers(response, query) ? response : null)
  })
  socket.on('error', () => settle(null))
  socket.on('end', () => settle(null))
  attempt(() => socket.connect({ host: address, port }), settle)
  return promise
}

type Settle = (response: Buffer | null) => void

/** Returns a promise that settles once, to null if the time runs out first. `close` is called once. */
function inTime(close: () => void): { readonly promise: Promise<Buffer | null>; readonly settle: Settle } {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>()
  let settled = false
  const settle: Settle = (response) => {
    if (settled) return
    settled = true
    clearTimeout(timer)
    resolve(response)
    close()
  }
  const timer = setTimeout(() => settle(null), serverMs)
  return { promise, settle }
}

/** Catches the exception for an invalid server in resolv.conf(5) (such as a bad port), which is thrown instead of emitted as an event. */
function attempt(start: () => void, settle: Settle): void {
  try {
    start()
  } catch {
    settle(null)
  }
}
