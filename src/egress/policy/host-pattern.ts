import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { PaddockError } from '../../base/errors.ts'

let loaded: typeof import('tldts') | undefined

/** Returns the module, loaded only for the first wildcard or the first flood of names, because the list of public suffixes is large. */
const suffixes = (): typeof import('tldts') => (loaded ??= createRequire(import.meta.url)('tldts') as typeof import('tldts'))

const publicSuffix = (name: string): string | null => suffixes().getPublicSuffix(name, { allowPrivateDomains: true })

/**
 * Returns the registrable domain of a name: `example.co.uk` for `a.b.example.co.uk`. If there is no such domain, returns the name
 * itself.
 */
export function registrableDomain(name: string): string {
  return suffixes().getDomain(name, { allowPrivateDomains: true }) ?? name
}

/** The pattern that matches every name. `parseHostPattern` refuses it, because only entries that ask may use it. */
export const anyName = '*'

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Returns a host name in wire form: lower-case ASCII labels of letters, digits, `-` and `_`, at most 63 bytes each and
 * 253 together (RFC 1035, section 2.3.4). Null for anything else, for IP literals, and for names whose last label is a number,
 * because those are other spellings of an IPv4 address (`127.1`, `0x7f.1`, `2130706433`).
 */
export function wireName(text: string): string | null {
  const name = text.toLowerCase()
  if (name.length === 0 || name.length > 253 || isIP(name) !== 0) return null
  const labels = name.split('.')
  if (!labels.every((each) => label.test(each))) return null
  return /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? null : name
}

/**
 * Parses a host pattern as a user writes it: `example.com`, `*.example.com`, `bücher.example`, with or without the final dot.
 * Returns lower-case ASCII (IDNA, UTS 46). `place` names the source of the text in the error.
 * @throws PaddockError BAD_INPUT
 */
export function parseHostPattern(text: string, place: string): string {
  const wildcard = text.startsWith('*.')
  const name = toAscii((wildcard ? text.slice(2) : text).replace(/\.$/, ''))
  if (name === null) {
    throw new PaddockError('BAD_INPUT', `${place}: ${JSON.stringify(text)} is not a host name.`, {
      hint: 'Write a host name such as api.example.com, or *.example.com for its subdomains. For an address, write NAME=ADDRESS:PORT, for example db.example=10.0.0.5:5432',
    })
  }
  if (!wildcard) return refuseLocalhost(name, place)
  if (publicSuffix(name) === name) {
    throw new PaddockError('BAD_INPUT', `${place}: *.${name} would allow names that anybody can register.`, {
      hint: `Name a domain below it, for example *.your-domain.${name}, or exact names`,
    })
  }
  return `*.${name}`
}

/** Returns true if a name in wire form is the pattern's exact name, or for `*.` patterns a subdomain (not the apex). `*` matches all. */
export function matchesPattern(pattern: string, name: string): boolean {
  if (pattern === anyName) return true
  if (!isWildcard(pattern)) return pattern === name
  return name.length > pattern.length - 1 && name.endsWith(pattern.slice(1))
}

export function isWildcard(pattern: string): boolean {
  return pattern === anyName || pattern.startsWith('*.')
}

/**
 * Checks before and after the conversion: domainToASCII decodes `%41`, cuts at `/`, and maps full-width letters, digits and dots. So the
 * input must be plain name characters or letters beyond ASCII, and the output must be a wire name with the same number of labels.
 */
function toAscii(text: string): string | null {
  if (/[^a-zA-Z0-9._\-\u0080-\u{10ffff}]/u.test(text) || /[\u3002\uff0e\uff61\uff10-\uff19]/.test(text)) return null
  const name = wireName(domainToASCII(text))
  return name !== null && name.split('.').length === text.split('.').length ? name : null
}

function refuseLocalhost(name: string, place: string): string {
  if (name !== 'localhost' && !name.endsWith('.localhost')) return name
  throw new PaddockError('BAD_INPUT', `${place}: ${name} is the cell itself when a cell uses it.`, {
    hint: 'Give the service of the host a name of its own: host.example:8080=127.0.0.1:8080',
  })
}
