import type { AllowEntry } from '../policy/egress-policy.ts'

/** The name of an endpoint in the cell that the gateway serves itself. It is never sent to a resolver (RFC 6762, appendix G: .internal). */
export const endpointHost = 'model.paddock.internal'
export const endpointUrl = `http://${endpointHost}`

/** Returns the entry for that endpoint. The gateway forwards its requests to a host over TLS. */
export function endpointEntry(host: string, port: number): AllowEntry {
  return { host: endpointHost, ports: [80], internal: false, endpoint: { host, port }, source: 'credential' }
}
