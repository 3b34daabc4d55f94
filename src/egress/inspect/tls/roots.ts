import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

let own: SecureContext | null = null

/**
 * Returns the roots against which certificates of inspected hosts are verified: the system's and those of NODE_EXTRA_CA_CERTS. Node's own
 * list is used only if the system has no roots. Reads them once per process, which takes about 60 ms.
 * @param extra additional root certificates (PEM).
 */
export function trustedRoots(extra: readonly string[]): SecureContext {
  if (extra.length === 0 && own !== null) return own
  const system = getCACertificates('system')
  const ca = [...new Set([...(system.length > 0 ? system : getCACertificates('bundled')), ...getCACertificates('extra'), ...extra])]
  const context = createSecureContext({ ca, minVersion: 'TLSv1.2' })
  if (extra.length === 0) own = context
  return context
}
