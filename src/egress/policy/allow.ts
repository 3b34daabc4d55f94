import { isIP } from 'node:net'
import { PaddockError } from '../../base/errors.ts'
import type { AllowEntry } from './egress-policy.ts'
import { anyName, isWildcard, parseHostPattern } from './host-pattern.ts'

const maxPorts = 64

/**
 * Parses `HOST[:PORT[,PORT…]][=ADDRESS[:PORT]]`. The default port is 443. A pinned destination may follow `=`, to reach a service of the
 * host or of a private network on purpose (`model.example:80=127.0.0.1:8080`, `db.example:5432=[fd00::5]`).
 * @throws PaddockError BAD_INPUT with `place`, the error and a valid form
 */
export function parseAllow(text: string, options: { readonly source?: string; readonly place?: string } = {}): AllowEntry {
  const place = options.place ?? '--allow'
  const source = options.source ?? 'user'
  const url = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(text)
  if (url !== null) throw bad(place, `${JSON.stringify(text)} is a URL`, `Write the host: ${url[1] || 'example.com'}`)
  const equals = text.indexOf('=')
  const target = equals < 0 ? text : text.slice(0, equals)
  const colon = target.indexOf(':')
  const host = parseHostPattern(colon < 0 ? target : target.slice(0, colon), place)
  const ports = colon < 0 ? [443] : parsePorts(target.slice(colon + 1), place)
  if (equals < 0) return { host, ports, internal: false, source }
  if (isWildcard(host)) {
    throw bad(place, `${host} stands for many names and cannot be pinned to one address`, 'Pin exact names, one by one')
  }
  return { host, ports, internal: true, pin: parsePin(text.slice(equals + 1), place), source }
}

/**
 * Parses `HOST[:PORT[,PORT…]]` for hosts whose connections each require an answer. `*` means every name. The default ports of `*` are
 * 443 and 80.
 * @throws PaddockError BAD_INPUT
 */
export function parseAsk(text: string, place = '--ask'): AllowEntry {
  if (text.includes('=')) throw bad(place, 'an entry that asks cannot have an address', `Write only the name, or --allow ${text}`)
  if (text !== anyName && !text.startsWith(`${anyName}:`)) return { ...parseAllow(text, { place }), ask: true }
  const ports = text === anyName ? [443, 80] : parsePorts(text.slice(2), place)
  return { host: anyName, ports, internal: false, ask: true, source: 'user' }
}

function parsePorts(text: string, place: string): number[] {
  const ports = [...new Set(text.split(',').map((each) => parsePort(each, place)))]
  if (ports.length > maxPorts) throw bad(place, `${ports.length} ports are too many for one host`, `Name at most ${maxPorts}`)
  return ports
}

function parsePort(text: string, place: string): number {
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535)
    throw bad(place, `${JSON.stringify(text)} is not a port`, 'Write 1 to 65535, several with commas: example.com:443,8443')
  return port
}

function parsePin(text: string, place: string): { address: string; port?: number } {
  const found = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(text)
  const address = found?.[1] ?? found?.[2] ?? ''
  const family = isIP(address)
  if (family === 0 || address.includes('%') || (family === 6) !== (found?.[1] !== undefined)) {
    throw bad(
      place,
      `${JSON.stringify(text)} is not an address to pin to`,
      'Write 127.0.0.1:8080, or an IPv6 address in brackets: [fd00::5]:8080',
    )
  }
  return found?.[3] === undefined ? { address } : { address, port: parsePort(found[3], place) }
}

function bad(place: string, what: string, hint: string): PaddockError {
  return new PaddockError('BAD_INPUT', `${place}: ${what}.`, { hint })
}
