import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { wayOut } from '../../upstream/way-out.ts'

let own: { readonly added: readonly string[]; readonly context: SecureContext } | null = null

/**
 * Returns the roots against which this process verifies the certificates of hosts: the system's, those of NODE_EXTRA_CA_CERTS, and those of
 * the user's way out. Node's own list is used only if the system has no roots. Reads them once per process, which takes about 60 ms.
 * @param extra additional root certificates (PEM).
 */
export function trustedRoots(extra: readonly string[]): SecureContext {
  const added = wayOut().added().certificates
  if (extra.length === 0 && own?.added === added) return own.context
  const system = getCACertificates('system')
  const ca = [
    ...new Set([
      ...(system.length > 0 ? system : getCACertificates('bundled')),
      ...getCACertificates('extra'),
      ...wayOut().added().certificates,
      ...extra,
    ]),
  ]
  const context = createSecureContext({ ca, minVersion: 'TLSv1.2' })
  if (extra.length === 0) own = { added, context }
  return context
}
