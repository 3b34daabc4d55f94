import { classifyAddress, type OwnAddresses, sameMachine } from '../policy/addresses.ts'
import type { AllowEntry } from '../policy/egress-policy.ts'

/** What every client of HTTP/2 sends first, when it knows that the server understands it (RFC 9113, section 3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const frameHead = 9
/** The part of the preface that is enough to tell it from any other request. */
const certain = preface.indexOf('\r')

/** Returns whether bytes are the start of HTTP/2: the preface and the head of a SETTINGS frame. */
export function readsAsHttp2(bytes: Buffer): 'yes' | 'no' | 'need-more' | 'malformed' {
  if (bytes.length < certain || !bytes.subarray(0, certain).equals(preface.subarray(0, certain))) return 'no'
  if (!bytes.subarray(0, preface.length).equals(preface.subarray(0, bytes.length))) return 'malformed'
  if (bytes.length < preface.length + frameHead) return 'need-more'
  const [length, type, flags, stream] = [
    bytes.readUIntBE(preface.length, 3),
    bytes[preface.length + 3],
    bytes[preface.length + 4],
    bytes.readUInt32BE(preface.length + 5),
  ]
  return type === 4 && flags === 0 && stream === 0 && length % 6 === 0 && length <= 16_384 ? 'yes' : 'malformed'
}

/**
 * Returns why HTTP/2 without TLS must not pass to this entry; null if it may. Its requests are not read, so they may name any host at the
 * address. It passes only to a pin, because the user chose that address, and only if no request to the same address is judged by its name.
 * @param port the port that was dialled in the cell.
 */
export function refuseClearHttp2(
  entry: AllowEntry,
  port: number,
  { entries, own }: { readonly entries: readonly AllowEntry[]; readonly own: OwnAddresses },
): string | null {
  const { pin } = entry
  if (isJudged(entry)) return 'HTTP/2 without TLS to an inspected host'
  if (pin === undefined) return 'HTTP/2 without TLS to a host that is not pinned'
  const dialled = pin.port ?? port
  const mayReach = (other: AllowEntry): boolean => {
    const ports = other.pin?.port ?? other.endpoint?.port ?? other.ports
    if (!(typeof ports === 'number' ? ports === dialled : ports.includes(dialled))) return false
    if (other.pin !== undefined) return sameMachine(other.pin.address, pin.address, own)
    return other.internal || !classifyAddress(pin.address, own).internal
  }
  const judged = entries.find((other) => other !== entry && (isJudged(other) || other.ask === true) && mayReach(other))
  return judged === undefined ? null : `HTTP/2 without TLS to an address that ${judged.host} may have, whose requests are judged`
}

function isJudged({ inspect, endpoint }: AllowEntry): boolean {
  return inspect !== undefined || endpoint !== undefined
}
