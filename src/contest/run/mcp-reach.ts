import type { McpServer } from '../../adapters/mcp-server.ts'
import { PaddockError } from '../../base/errors.ts'
import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import { matchesPattern } from '../../egress/policy/host-pattern.ts'

/** Throws BAD_INPUT for an MCP server that a participant could not reach, because its agent would work without the tools and not say so. */
export function refuseUnreached(servers: readonly McpServer[], egress: EgressPolicy, place: string): void {
  for (const server of servers) {
    if (!('url' in server) || egress.mode === 'open' || egress.mode === 'public') continue
    const { hostname, port, protocol } = new URL(server.url)
    const wanted = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
    const entries = egress.mode === 'allowlist' ? egress.entries : []
    if (entries.some(({ host, ports }) => matchesPattern(host, hostname) && ports.includes(wanted))) continue
    throw new PaddockError('BAD_INPUT', `${place}.mcp.${server.name}: the participant cannot reach ${hostname}:${wanted}.`, {
      hint: `Add it to egress.allow: ${hostname}${wanted === 443 ? '' : `:${wanted}`}`,
    })
  }
}
