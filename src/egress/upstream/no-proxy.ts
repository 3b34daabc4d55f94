import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One entry of NO_PROXY. `port`: only that port; null: every port. */
export type NoProxyRule = { readonly port: number | null } & (
  | { readonly kind: 'all' }
  /** `isWithin` and `isItself`: whether names below the name, and the name itself, match. */
  | { readonly kind: 'name'; readonly name: string; readonly isItself: boolean }
  | { readonly kind: 'range'; readonly range: readonly [ipaddr.IPv4 | ipaddr.IPv6, number] }
)

/**
 * Reads NO_PROXY: entries separated by commas or white space. An entry is `*`, a name (also for every name below it, with or without a
 * leading dot), `*.NAME` (only names below it), an address, or a range in CIDR notation; each but the range with `:PORT` if it is for one
 * port, an IPv6 address then in brackets. Entries of another form match nothing and are returned in `unread`.
 */
export function readNoProxy(text: string): { readonly rules: readonly NoProxyRule[]; readonly unread: readonly string[] } {
  const rules: NoProxyRule[] = []
  const unread: string[] = []
  for (const each of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const rule = readEntry(each)
    if (rule === null) unread.push(each)
    else rules.push(rule)
  }
  return { rules, unread }
}

function readEntry(text: string): NoProxyRule | null {
  if (text === '*') return { kind: 'all', port: null }
  const whole = readRange(text)
  if (whole !== null) return { kind: 'range', port: null, range: whole }
  const [, bracketed, plain = '', digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return null
  const range = readRange(bracketed ?? plain)
  if (range !== null) return { kind: 'range', port, range }
  const [, start = '', name] = /^(\*?\.)?([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_-])?)\.?$/i.exec(plain) ?? []
  if (name === undefined || /^[\d.]+$/.test(name)) return null
  return { kind: 'name', port, name: name.toLowerCase(), isItself: start !== '*.' }
}

function readRange(text: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0 || address.includes('%')) return null
  const most = family === 4 ? 32 : 128
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : 999
  return length > most ? null : [ipaddr.parse(address), length]
}

/**
 * Returns whether connections to a host go around the proxy. Loopback always does, because the proxy's loopback is another one. Ranges
 * are compared with the host if it is an address, and otherwise with the addresses that this machine resolves it to, which must all match.
 * @param host a name in lower case, or a literal address without brackets.
 */
export function bypassesProxy(rules: readonly NoProxyRule[], host: string, port: number, addresses: readonly string[]): boolean {
  const literal = isIP(host) !== 0
  const dialled = literal ? [host] : addresses
  const name = host.replace(/\.$/, '')
  if (/(?:^|\.)localhost$/.test(name) || (dialled.length > 0 && dialled.every(isLoopback))) return true
  return rules.some((rule) => {
    if (rule.port !== null && rule.port !== port) return false
    if (rule.kind === 'all') return true
    if (rule.kind === 'range') return dialled.length > 0 && dialled.every((each) => isIn(each, rule.range))
    return !literal && ((rule.isItself && name === rule.name) || name.endsWith(`.${rule.name}`))
  })
}

/** The unspecified address is this machine, too. */
function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && ['loopback', 'unspecified'].includes(ipaddr.process(address).range())
}

function isIn(address: string, range: readonly [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  return parsed.kind() === range[0].kind() && parsed.match(range as [ipaddr.IPv4, number])
}
