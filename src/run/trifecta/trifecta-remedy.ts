import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { RunRequest } from '../../config/request/request.ts'
import type { UntrustedSources } from './untrusted-content.ts'
import { bringsBack } from './web-tools.ts'

/** A change of a request after which one part of the lethal trifecta is missing. */
export interface TrifectaRemedy {
  /** The options of `paddock run` to add, and those to leave out with their values. */
  readonly add: readonly string[]
  readonly leaveOut: readonly string[]
  /** The host of the model, whose `--allow` stays; null: none stays. */
  readonly keptHost: string | null
  /** The change of a file, as a hint. */
  readonly inFile: string
}

/** Options with which a cell may reach hosts that only the user wants. */
const widening = ['--egress', '--allow', '--ask', '--preset', '--block']

/**
 * Returns the smallest change that ends the trifecta: first without the agent's web tools, then also without the hosts that only the user
 * wants, then without a network, which an agent cannot do without. Null if none of them would.
 */
export function trifectaRemedy(
  request: Pick<RunRequest, 'agent' | 'args' | 'baseUrl' | 'egress' | 'repositories' | 'secrets' | 'publish'>,
  adapter: Pick<AgentAdapter, 'webTool' | 'withoutWebTools' | 'takesCommand'>,
  sources: UntrustedSources,
): TrifectaRemedy | null {
  const { agent, args, baseUrl, egress, repositories, secrets, publish } = request
  const isWide = egress.policy.value === 'public' || egress.policy.value === 'open'
  const canRemove = sources.webTool.length > 0 && adapter.withoutWebTools !== undefined && bringsBack(args, adapter) === undefined
  const left = sources.said.length + sources.servers.length + sources.clone.length + (canRemove ? 0 : sources.webTool.length)
  if (canRemove && !isWide && left + sources.hosts.length === 0)
    return { add: ['--no-web-tools'], leaveOut: [], keptHost: null, inFile: 'Set webTools: false' }
  // Repositories and secrets bring hosts of their own, which these policies exclude.
  if (repositories.length + secrets.length + publish.length > 0) return null
  if (agent === 'command')
    return {
      add: ['--egress', 'off'],
      leaveOut: [...widening, '--inspect', '--rule', '--rules'],
      keptHost: null,
      inFile: 'Set egress to { policy: off }',
    }
  if (adapter.takesCommand === true || left > 0) return null
  return {
    add: [...(canRemove ? ['--no-web-tools'] : []), '--private'],
    leaveOut: widening,
    keptHost: baseUrl === null ? null : (URL.parse(baseUrl.value)?.hostname ?? null),
    inFile: `Remove policy, allow, ask, presets, inspect and rules from egress${canRemove ? ', and set webTools: false' : ''}`,
  }
}
