import type { AllowEntry } from '../policy/policy.ts'

/** The name in a cell of an endpoint that the gateway serves itself. No resolver is ever asked for it (RFC 6762, appendix G: .internal). */
export const endpointHost = 'model.paddock.internal'
export const endpointUrl = `http://${endpointHost}`

/** The entry of that endpoint. Its requests go to a host, over TLS that the gateway speaks. */
export function endpointEntry(host: string, port: number): AllowEntry {
  return { host: endpointHost, ports: [80], internal: false, endpoint: { host, port }, source: 'credential' }
}
