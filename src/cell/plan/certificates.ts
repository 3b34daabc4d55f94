import { readFileSync, realpathSync } from 'node:fs'
import type { MachineFacts } from './facts.ts'
import type { SyntheticFile } from './spec.ts'

/** The certificates that programs in a cell with inspected hosts trust. The authority's private key is not included. */
export interface CellTrust {
  /** The certificate of the cell's own authority (PEM). */
  readonly ca: string
  /** The host's bundle and the authority (PEM). */
  readonly bundle: string
  /** The paths of the host's bundle, without symbolic links. */
  readonly places: readonly string[]
}

const caFile = '/etc/paddock/ca.pem'
const bundleFile = '/etc/paddock/ca-bundle.pem'

/** Paths at which distributions keep the certificates that programs read by default. */
const usualPlaces = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/ssl/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/tls/cert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/usr/lib/ssl/cert.pem',
]

/** The certificate variable of each program. Some replace the trusted certificates, so they name the bundle; the others add to them. */
const variables: Readonly<Record<string, string>> = {
  NODE_EXTRA_CA_CERTS: caFile,
  DENO_CERT: caFile,
  SSL_CERT_FILE: bundleFile,
  CURL_CA_BUNDLE: bundleFile,
  REQUESTS_CA_BUNDLE: bundleFile,
  GIT_SSL_CAINFO: bundleFile,
  CARGO_HTTP_CAINFO: bundleFile,
  PIP_CERT: bundleFile,
  AWS_CA_BUNDLE: bundleFile,
}

/** Returns the host's bundle with the authority added. If the host has no bundle, Node's own list is used. */
export function trustOf(ca: string): CellTrust {
  const places = new Set<string>()
  let own = ''
  for (const each of usualPlaces) {
    try {
      const place = realpathSync(each)
      const text = readFileSync(place, 'utf8')
      if (!text.includes('-----BEGIN')) continue
      if (own === '') own = text
      places.add(place)
    } catch {
      // This path does not exist on this machine.
    }
  }
  // Loaded for the first cell that needs the list, because cells must start fast.
  const roots = own === '' ? process.getBuiltinModule('node:tls').getCACertificates('bundled').join('\n') : own
  return { ca, bundle: `${roots.trimEnd()}\n${ca}`, places: [...places] }
}

/** Returns the files of a cell with its trusted certificates. They are mounted over the usual places that the cell sees. */
export function trustFiles(trust: CellTrust | null, system: MachineFacts['system']): readonly SyntheticFile[] {
  if (trust === null) return []
  const seen = trust.places.filter((place) => system.some((each) => each.link === null && place.startsWith(`${each.path}/`)))
  return [{ target: caFile, content: trust.ca }, ...[bundleFile, ...seen].map((target) => ({ target, content: trust.bundle }))]
}

/** Returns the variables of a cell that name its trusted certificates. */
export function trustVariables(
  trust: CellTrust | null,
  { bundleVariables }: Pick<MachineFacts, 'bundleVariables'>,
): Readonly<Record<string, string>> {
  return trust === null ? {} : { ...variables, ...Object.fromEntries(bundleVariables.map((each) => [each, bundleFile])) }
}
