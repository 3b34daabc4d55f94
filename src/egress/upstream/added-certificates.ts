import { X509Certificate } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { PaddockError } from '../../base/errors.ts'
import { readRegularSync } from '../../files/read-regular.ts'
import { certificateBodies, type SystemCertificates, systemCertificates } from '../../system/system-certificates.ts'
import type { UpstreamSettings } from './upstream-settings.ts'

/** Certificates that the user trusts in addition to those of the system. */
export interface AddedCertificates {
  /** One certificate (PEM) each, none of them twice. */
  readonly certificates: readonly string[]
  /** The files that they are from. */
  readonly files: readonly { readonly file: string; readonly place: string; readonly count: number }[]
  /** What could not be used, in one sentence each. */
  readonly problems: readonly string[]
}

const maxBytes = 8 * 1024 ** 2
const configured = 'egress.upstream.ca'

/**
 * Reads the certificates that the system does not trust already. Everything else in the files, such as a private key, is left out, and so
 * are certificates that have expired or cannot be parsed.
 * @throws PaddockError BAD_INPUT for a file of the configuration without a certificate; a file that a variable names is a problem instead
 */
export function addedCertificates(
  ca: UpstreamSettings['ca'],
  now: number = Date.now(),
  system: () => SystemCertificates = systemCertificates,
): AddedCertificates {
  const found = new Map<string, string>()
  const files: { file: string; place: string; count: number }[] = []
  const problems: string[] = []
  if (ca.length === 0) return { certificates: [], files, problems }
  const { places, text } = system()
  const trusted = new Set(certificateBodies(text))
  for (const { value: file, place } of ca) {
    const real = realPath(file)
    if (places.includes(real)) continue
    const bodies = certificateBodies(readRegularSync(real, maxBytes) ?? '')
    if (bodies.length === 0) {
      const problem = `${place} names ${file}, which is not a readable file with certificates (PEM)`
      if (place === configured) throw new PaddockError('BAD_INPUT', `${problem}.`, { hint: 'Name the file of the authority, as PEM' })
      problems.push(problem)
      continue
    }
    let count = 0
    for (const [index, body] of bodies.entries()) {
      if (trusted.has(body) || found.has(body)) continue
      const read = certificateOf(body)
      const at = `${file}: certificate ${index + 1} of ${bodies.length}`
      if (read === null) problems.push(`${at} cannot be parsed, so it is not trusted`)
      else if (Date.parse(read.validTo) < now)
        problems.push(`${at} expired on ${new Date(read.validTo).toISOString().slice(0, 10)}, so it is not trusted`)
      else {
        found.set(body, read.toString())
        count++
      }
    }
    if (count > 0) files.push({ file, place, count })
  }
  return { certificates: [...found.values()], files, problems }
}

function certificateOf(body: string): X509Certificate | null {
  try {
    return new X509Certificate(Buffer.from(body, 'base64'))
  } catch {
    return null
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
