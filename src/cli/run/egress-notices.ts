import { isIP } from 'node:net'
import type { EgressNotice, InternalName, OnEgressNotice } from '../../egress/notice.ts'
import type { AddressKind } from '../../egress/policy/addresses.ts'

/** Maximum number of lines of each kind, because a cell can make up any number of names. */
const mostLines = 5

const unresolvable = (host: string): string => `the name ${host} does not resolve on this machine`
const consequence = ', so the cell cannot reach it'

/** Returns the text of an option, or of what stands for it in a file. */
type OptionText = (option: string, value: string) => string

const onCommandLine: OptionText = (option, value) => `${option} ${value}`

/**
 * Returns a function that reports each name that a cell cannot reach, and each host that it was denied, once and when it happens. Each
 * line gives the option that allows it.
 */
export function egressNotices(say: (line: string) => void, option: OptionText = onCommandLine): OnEgressNotice {
  const hosts = new Set<string>()
  const lines = { name: 0, denied: 0 }
  return (notice) => {
    if (hosts.has(notice.host)) return
    const kind = notice.kind === 'denied' ? 'denied' : 'name'
    if (lines[kind] > mostLines) return
    hosts.add(notice.host)
    lines[kind]++
    if (lines[kind] <= mostLines) say(textOf(notice, option))
    else if (kind === 'denied') say('more hosts are denied; --report FILE lists them')
  }
}

function textOf(notice: EgressNotice, option: OptionText): string {
  switch (notice.kind) {
    case 'unresolvable':
      return unresolvable(notice.host) + consequence
    case 'internal-address':
      return internalText(notice, option)
    case 'denied': {
      const { host, port, reason } = notice
      const name = port === null ? host : `${host}:${port}`
      return `denied ${name} (${reason})${reason === 'not-allowed' && isIP(host) === 0 ? `; to allow it: ${option('--allow', name)}` : ''}`
    }
  }
}

const network = 'of your own network'
const machine = 'of this machine'
/** Where an address is that a user may want to reach on purpose. */
const places: Partial<Record<AddressKind, string>> = {
  private: network,
  shared: network,
  'unique-local': network,
  'site-local': network,
  loopback: machine,
  own: machine,
}

function internalText({ host, ports, addresses, option: pin }: InternalName, option: OptionText): string {
  // Nobody pins a metadata service or a broadcast address on purpose.
  const { address, kind } = addresses.find((each) => places[each.kind] !== undefined) ?? addresses[0] ?? { address: '', kind: 'unreadable' }
  const place = places[kind]
  const more = addresses.length > 1 ? ` (and ${addresses.length - 1} more)` : ''
  if (place === undefined) return `${host} means ${address}${more}, an internal address (${kind})${consequence}`
  const text = `${host} means ${address}${more}, an address ${place}`
  return pin === null ? text + consequence : `${text}; to allow it: ${option(pin, pinText(host, ports, address))}`
}

/** Returns the entry that pins a name to an address. With several ports, each connection goes to its own port there. */
function pinText(host: string, ports: readonly number[], address: string): string {
  const literal = address.includes(':') ? `[${address}]` : address
  return `${host}:${ports.join(',')}=${literal}${ports.length === 1 ? `:${ports[0]}` : ''}`
}

/** Returns the notices about names that the last lines do not mention. */
export function noticesBeyond(lastLines: readonly string[], notices: readonly string[]): readonly string[] {
  return notices.filter(
    (each) => !each.endsWith(consequence) || !lastLines.some((line) => line.includes(each.slice(0, -consequence.length))),
  )
}
