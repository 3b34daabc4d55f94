import { isIPv6 } from 'node:net'
import { PaddockError } from '../../base/errors.ts'

/** A name that the server answers to: the exact Host header, and the exact origin of its pages. */
export interface Site {
  readonly host: string
  readonly origin: string
  /** Whether the pages come over TLS, from this server or a proxy in front of it. */
  readonly secure: boolean
}

const defaultPorts = { http: 80, https: 443 } as const
const publicName = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*(?::[1-9][0-9]{0,4})?$/

/** Returns whether only this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^127(?:\.\d{1,3}){3}$/.test(address)
}

/** Returns the sites of a listener on a loopback address. For any other address, which requires public names, returns an empty list. */
export function loopbackSites(address: string, port: number, tls: boolean): readonly Site[] {
  if (!isLoopback(address)) return []
  const scheme = tls ? 'https' : 'http'
  return [isIPv6(address) ? `[${address}]` : address, 'localhost'].map((name) => site(scheme, name, port))
}

/**
 * Returns the sites for names given with `--public`, as `NAME` or `NAME:PORT`. They are always reached over TLS.
 * @throws PaddockError BAD_INPUT
 */
export function publicSites(names: readonly string[]): readonly Site[] {
  return names.map((each) => {
    if (!publicName.test(each))
      throw new PaddockError('BAD_INPUT', `--public ${each}: this is not a host name with an optional port.`, {
        hint: 'Give the name as in the address bar of a browser, for example --public paddock.example.org',
      })
    const [name = '', port = '443'] = each.split(':')
    return site('https', name, Number(port))
  })
}

function site(scheme: 'http' | 'https', name: string, port: number): Site {
  // Clients omit the default port of the scheme in both headers.
  const host = port === defaultPorts[scheme] ? name : `${name}:${port}`
  return { host, origin: `${scheme}://${host}`, secure: scheme === 'https' }
}
