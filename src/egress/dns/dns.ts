import { addressRecord, optRecord, rcodes, readQuery, responseHeader } from './dns-wire.ts'

/** Returns the address that represents a name, or null if the name is denied. The name is in lower case, or null if unreadable. */
export type DnsDecide = (name: string | null) => string | null

/** Returns the response to one query over the transport that it arrived on. Null if no response may be sent. Never throws or rejects. */
export type DnsRespond = (query: Buffer, transport: 'udp' | 'tcp') => Buffer | null | Promise<Buffer | null>

const ttlSeconds = 60
const typeA = 1
/** The extended error "Blocked" (RFC 8914, section 4.16). */
const blocked = { code: 15, text: 'not in the allowlist of this cell' }

/**
 * Answers one DNS query using only `decide`. Nothing is resolved or forwarded. An allowed name has an A record and no other type
 * (AAAA, HTTPS, SVCB … are empty answers, so that clients continue with A). A denied name does not exist: NXDOMAIN ends a lookup at once,
 * while REFUSED and SERVFAIL make libc retry for seconds and then report a temporary failure.
 * @returns the response, or null if none may be sent. Never throws, provided that `decide` does not.
 */
export function answer(query: Uint8Array, decide: DnsDecide): Buffer | null {
  const read = readQuery(query)
  if (read.kind === 'ignore') return null
  if (read.kind === 'unusable') return responseHeader(read.id, false, read.rcode, [0, 0, 0])
  const { id, recursionDesired, name, type, bytes, edns } = read.question
  const address = decide(name === null ? null : name.toLowerCase())
  if (address === null) {
    const opt = edns ? [optRecord(blocked)] : []
    return Buffer.concat([responseHeader(id, recursionDesired, rcodes.nxDomain, [1, 0, opt.length]), bytes, ...opt])
  }
  const records = type === typeA ? [addressRecord(Uint8Array.from(address.split('.').map(Number)), ttlSeconds)] : []
  const opt = edns ? [optRecord()] : []
  return Buffer.concat([responseHeader(id, recursionDesired, rcodes.noError, [1, records.length, opt.length]), bytes, ...records, ...opt])
}
