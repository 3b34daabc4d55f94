import { readFileSync, realpathSync } from 'node:fs'

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

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** The certificates that programs of this machine trust by default. */
export interface SystemCertificates {
  /** The bundle (PEM). Empty without a bundle. */
  readonly text: string
  /** The paths of all bundles, without symbolic links. */
  readonly places: readonly string[]
}

export function systemCertificates(): SystemCertificates {
  const places = new Set<string>()
  let found = ''
  for (const each of usualPlaces) {
    try {
      const place = realpathSync(each)
      const text = readFileSync(place, 'utf8')
      if (!text.includes('-----BEGIN')) continue
      if (found === '') found = text
      places.add(place)
    } catch {
      // This path does not exist on this machine.
    }
  }
  return { text: found, places: [...places] }
}

/** Returns the encoded contents of the certificates in a text (PEM), which are equal for equal certificates. */
export function certificateBodies(text: string): readonly string[] {
  return text
    .split(begin)
    .slice(1)
    .map((each) => (each.split(end)[0] ?? '').replaceAll(/\s/g, ''))
}
