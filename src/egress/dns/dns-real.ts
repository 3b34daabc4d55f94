import { codeOf } from '../../base/errors.ts'
import type { EgressLedger } from '../ledger.ts'
import type { InternalName, OnEgressNotice } from '../notice.ts'
import { addressBytes, classifyAddress, type OwnAddresses } from '../policy/addresses.ts'
import { answer, type DnsDecide, type DnsRespond } from './dns.ts'
import type { DnsForward } from './dns-forward.ts'
import { addressRecord, optRecord, rcodes, readQuery, responseHeader } from './dns-wire.ts'
import type { ResolvedAddress, Resolver } from './resolver.ts'

export interface RealNames {
  /** Returns the placeholder address for a name that the gateway itself serves, and null for every other name. */
  readonly served: DnsDecide
  readonly serves: (name: string) => boolean
  readonly resolver: Resolver
  /** Forwards all queries except those for addresses. */
  readonly forward: DnsForward
  /** True if a name with only internal addresses must appear not to exist (`public`). */
  readonly hideInternal: boolean
  readonly ownAddresses: () => OwnAddresses
  readonly ledger: EgressLedger
  readonly notice: OnEgressNotice
  readonly resolveMs: number
}

const ttlSeconds = 30
/** Maximum number of queries of one cell that wait for an answer at the same time. */
const maxPending = 64
const families = new Map([
  [1, 4],
  [28, 6],
])
/** The lowest of the types IXFR, AXFR, MAILB, MAILA and ANY, which are 251 to 255 (RFC 6895). */
const transfers = 251
/** The types SVCB and HTTPS (RFC 9460). */
const hinting = new Set([64, 65])
/** The extended error "Blocked" (RFC 8914, section 4.16). */
const internal = { code: 15, text: 'the name resolves only to internal addresses' }

/**
 * Returns the DNS responder of a cell with real network access. Names are resolved as on the host, addresses that the cell may not reach
 * are left out (the packet filter stops them in any case), and every name is counted and written to the audit log.
 */
export function respondWithRealNames(names: RealNames): DnsRespond {
  let pending = 0
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    pending++
    try {
      return await work
    } finally {
      pending--
    }
  }
  return (query, transport) => {
    const read = readQuery(query)
    if (read.kind !== 'question') return answer(query, () => null)
    const { id, recursionDesired, type, bytes, edns } = read.question
    const name = read.question.name?.toLowerCase() ?? null
    if (name !== null && names.serves(name)) return answer(query, names.served)
    const say = (rcode: number, records: readonly Buffer[] = [], error?: { readonly code: number; readonly text: string }): Buffer => {
      const opt = edns ? [optRecord(error)] : []
      return Buffer.concat([responseHeader(id, recursionDesired, rcode, [1, records.length, opt.length]), bytes, ...records, ...opt])
    }
    if (name === null || name === '') {
      names.ledger.asked('(unreadable)', 'malformed')
      return say(rcodes.nxDomain)
    }
    if (pending >= maxPending) {
      names.ledger.asked(name, 'too-many')
      return say(rcodes.servFail)
    }
    const family = families.get(type)
    if (family === undefined) {
      // Zone transfers, and the query whose answer contains every record, including addresses.
      if (type >= transfers) {
        names.ledger.asked(name, 'not-allowed')
        return say(rcodes.refused)
      }
      // Their hints contain addresses. Clients work without these records.
      if (names.hideInternal && hinting.has(type)) {
        names.ledger.asked(name, null)
        return say(rcodes.noError)
      }
      // The cell must not learn the names of internal addresses in the host's network.
      const address = reversed(name)
      const judged = address === null ? null : { address, ...classifyAddress(address, names.ownAddresses()) }
      if (names.hideInternal && judged?.internal === true) {
        refuseInternal(names, name, [judged])
        return say(rcodes.nxDomain)
      }
      names.ledger.asked(name, null)
      return counted(names.forward(query, transport)).then((response) => response ?? say(rcodes.servFail))
    }
    return counted(lookUp(name, family, names)).then((found) => {
      if (found === 'internal') return say(rcodes.nxDomain, [], internal)
      if (found === 'unknown') return say(rcodes.nxDomain)
      if (found === 'failed') return say(rcodes.servFail)
      return say(
        rcodes.noError,
        found.map((each) => addressRecord(each, ttlSeconds)),
      )
    })
  }
}

function refuseInternal({ ledger, notice }: RealNames, host: string, addresses: InternalName['addresses']): void {
  ledger.asked(host, 'internal-address')
  notice({ kind: 'internal-address', host, ports: [], addresses, option: null })
}

/** Returns the address in a reverse name (RFC 1035, section 3.5; RFC 3596, section 2.5), even if it is not valid. Null for other names. */
function reversed(name: string): string | null {
  const found = /^(.*)\.(in-addr|ip6)\.arpa$/.exec(name)
  if (found === null) return null
  const parts = (found[1] ?? '').split('.').reverse()
  return found[2] === 'in-addr' ? parts.join('.') : (parts.join('').match(/.{1,4}/g) ?? []).join(':')
}

const maxRecords = 16

async function lookUp(name: string, family: number, names: RealNames): Promise<readonly Uint8Array[] | 'internal' | 'unknown' | 'failed'> {
  let all: readonly ResolvedAddress[]
  try {
    all = await names.resolver.resolve(name, AbortSignal.timeout(names.resolveMs))
  } catch (error) {
    const code = codeOf(error)
    names.ledger.asked(name, 'unresolvable')
    return code === 'ENOTFOUND' || code === 'ENODATA' ? 'unknown' : 'failed'
  }
  const own = names.ownAddresses()
  const judged = all.map((each) => ({ ...each, ...classifyAddress(each.address, own) }))
  const shown = names.hideInternal ? judged.filter(({ internal }) => !internal) : judged
  if (judged.length === 0) {
    names.ledger.asked(name, 'unresolvable')
    return 'unknown'
  }
  if (shown.length === 0) {
    refuseInternal(names, name, judged)
    return 'internal'
  }
  names.ledger.asked(name, null)
  return shown
    .filter((each) => each.family === family)
    .slice(0, maxRecords)
    .flatMap((each) => addressBytes(each.address) ?? [])
}
