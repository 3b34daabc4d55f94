import type { AgentAdapter } from '../adapters/adapter.ts'
import { vendorAdapters } from '../adapters/find-adapter.ts'
import { PaddockError } from '../base/errors.ts'
import type { EgressRequest, RunRequest, Sourced } from '../config/request/request.ts'
import type { Forge } from '../egress/forge/forge.ts'
import { withForges } from '../egress/forge/forge-entries.ts'
import { parseAllow } from '../egress/policy/allow.ts'
import type { AllowEntry, EgressPolicy } from '../egress/policy/egress-policy.ts'
import type { PresetFacts } from '../egress/policy/presets.ts'
import { withInspection } from '../egress/requests/inspected-entries.ts'
import type { RunHost } from '../host.ts'
import type { ModelEndpoint } from './cell-credentials.ts'
import { refuseEgressWithoutEffect } from './egress-without-effect.ts'
import { wishesOf } from './inspection-wishes.ts'
import { privateEgress } from './private-egress.ts'

/** The input of the policy besides the request. */
export interface EgressNeeds {
  readonly adapter: AgentAdapter
  /** The gateway's own endpoint for the agent; null if the agent connects to the vendor or to its base URL. */
  readonly endpoint: ModelEndpoint | null
  /** The forges, with the rules for their repositories. */
  readonly forges: readonly Forge[]
  /** The registries of the presets (`presetFactsOf`). */
  readonly registries: PresetFacts
}

/**
 * Returns the policy of a cell: what the agent itself needs, and what the request adds. The user's entries come before a project's,
 * and the first entry for a name counts.
 * @throws PaddockError BAD_INPUT, NOT_ALLOWED
 */
export async function egressOf(request: RunRequest, needs: EgressNeeds): Promise<EgressPolicy> {
  const policy = await policyOf(request, needs)
  const { endpoint } = needs
  if (endpoint === null) return policy
  if (policy.mode !== 'off') return { ...policy, entries: [endpoint.entry, ...policy.entries] }
  // A private cell needs only the endpoint.
  const isPrivate = request.egress.private && request.egress.policy.value !== 'off'
  return isPrivate ? { mode: 'allowlist', entries: [endpoint.entry] } : policy
}

async function policyOf(request: RunRequest, needs: EgressNeeds): Promise<EgressPolicy> {
  const { egress, baseUrl } = request
  const { adapter, endpoint, forges, registries } = needs
  const own = baseUrl === null && endpoint === null ? adapter.hosts : []
  const ofBaseUrl = (named: readonly AllowEntry[]): readonly AllowEntry[] =>
    baseUrl === null || endpoint !== null ? [] : baseUrlEntry(baseUrl, named)
  if (egress.private) {
    if (forges.length > 0)
      throw new PaddockError('BAD_INPUT', '--repo cannot be used with --private: it lets the cell reach another host.', {
        hint: 'Leave one of them out',
      })
    return privateEgress(egress, baseUrl?.value ?? null, (named) => [...own, ...ofBaseUrl(named)])
  }
  refuseEgressWithoutEffect(egress, forges.length > 0)
  const inspected = (entries: readonly AllowEntry[]): readonly AllowEntry[] => withInspection(withForges(entries, forges), wishesOf(egress))
  switch (egress.policy.value) {
    case 'off':
      return { mode: 'off' }
    case 'public':
      return { mode: 'public', entries: inspected([]), blocked: egress.block.map((each) => each.value) }
    case 'open':
      return { mode: 'open', entries: inspected([]) }
    case 'allowlist': {
      const of = (project: boolean): AllowEntry[] =>
        [...egress.allow, ...egress.ask].filter((each) => (each.origin.from === 'project') === project).map((each) => each.value)
      const entries = [...own, ...of(false), ...of(true)]
      entries.push(...ofBaseUrl(entries))
      entries.push(...(await presetEntriesOf(egress.presets, registries)))
      return { mode: 'allowlist', entries: inspected(entries) }
    }
  }
}

/** Reads the tools' own configuration that presets need. */
export async function presetFactsOf({ policy, presets }: EgressRequest, host: Pick<RunHost, 'presets'>): Promise<PresetFacts> {
  if (presets.length === 0 || policy.value !== 'allowlist') return {}
  const { isRegistryTool } = await import('../egress/policy/presets.ts')
  return host.presets(presets.map((each) => each.value).filter(isRegistryTool))
}

async function presetEntriesOf(presets: EgressRequest['presets'], facts: PresetFacts): Promise<readonly AllowEntry[]> {
  if (presets.length === 0) return []
  const names = presets.map((each) => each.value)
  const { presetEntries } = await import('../egress/policy/presets.ts')
  const agents = Object.fromEntries(vendorAdapters.map((each) => [each.name, each.hosts]))
  return names.flatMap((each) => presetEntries(each, facts, agents))
}

/** Returns an entry for the host of a base URL, so that the user need not name it. If it is named, that entry is used instead. */
function baseUrlEntry({ value, origin }: Sourced<string>, named: readonly AllowEntry[]): readonly AllowEntry[] {
  const url = new URL(value)
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  if (named.some((each) => each.host === url.hostname && each.ports.includes(port))) return []
  return [parseAllow(`${url.hostname}:${port}`, { place: origin.place })]
}
