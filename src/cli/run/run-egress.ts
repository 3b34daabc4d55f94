import type { AgentAdapter } from '../../adapters/adapter.ts'
import { adapters } from '../../adapters/registry.ts'
import type { Forge } from '../../egress/forge/forge.ts'
import { withForges } from '../../egress/forge/forge-entries.ts'
import { parseAllow, parseAsk } from '../../egress/policy/allow.ts'
import { parseBlock } from '../../egress/policy/block.ts'
import type { AllowEntry, EgressPolicy } from '../../egress/policy/policy.ts'
import { type InspectionWishes, withInspection } from '../../egress/requests/inspected-entries.ts'
import { PaddockError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import type { ModelEndpoint } from '../../run/cell-credentials.ts'
import { privateEgress } from './private-egress.ts'

/** The options of `paddock run` that decide about the network. */
export interface EgressOptions extends InspectionWishes {
  readonly egress: string
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly block: readonly string[]
  readonly preset: readonly string[]
  /** Hosts of the project's file: they come after all of the user's. */
  readonly projectAllow?: readonly string[]
  readonly projectAsk?: readonly string[]
  readonly baseUrl?: string
  readonly credentials?: string
  /** Reaches what the agent itself needs and nothing else. */
  readonly private?: boolean
}

/** The policy with the endpoint that the agent is pointed at. */
export function withEndpoint(policy: EgressPolicy, endpoint: ModelEndpoint | null, options: EgressOptions): EgressPolicy {
  if (endpoint === null) return policy
  if (policy.mode !== 'off') return { ...policy, entries: [endpoint.entry, ...policy.entries] }
  // All that a private cell needs is that endpoint.
  return options.private === true && options.egress !== 'off' ? { mode: 'allowlist', entries: [endpoint.entry] } : policy
}

/** What the options say that the cell may reach; `forges` come with the rules of their repositories. */
export async function egressOf(
  options: EgressOptions,
  agent: AgentAdapter | null,
  forges: readonly Forge[],
  host: Host,
): Promise<EgressPolicy> {
  const inspected = (entries: readonly AllowEntry[]) => withInspection(withForges(entries, forges), options)
  if (options.private === true) {
    if (forges.length > 0)
      throw new PaddockError('BAD_INPUT', '--repo opens a way out, and --private has none but the agent’s own.', {
        hint: 'Leave one of them out.',
      })
    return privateEgress(options, (named) => (options.baseUrl === undefined ? (agent?.hosts ?? []) : baseUrlEntry(options.baseUrl, named)))
  }
  if (options.block.length > 0 && options.egress !== 'public')
    throw new PaddockError('BAD_INPUT', `--block means nothing with --egress ${options.egress}.`, { hint: 'Use it with --egress public.' })
  const extra = options.allow.length + options.ask.length + options.preset.length > 0
  switch (options.egress) {
    case 'off':
    case 'public':
    case 'open':
      if (extra)
        throw new PaddockError('BAD_INPUT', `--allow, --ask and --preset mean nothing with --egress ${options.egress}.`, {
          hint: 'Leave --egress out, or use --egress allowlist.',
        })
      if (options.egress === 'off') {
        if (options.inspect.length + options.rule.length + options.rules.length > 0)
          throw new PaddockError('BAD_INPUT', '--inspect, --rule and --rules mean nothing with --egress off.', {
            hint: 'Leave --egress out.',
          })
        if (forges.length > 0)
          throw new PaddockError('BAD_INPUT', '--repo means nothing with --egress off.', { hint: 'Leave --egress out.' })
        return { mode: 'off' }
      }
      return options.egress === 'public'
        ? { mode: 'public', entries: inspected([]), blocked: options.block.map((each) => parseBlock(each)) }
        : { mode: 'open', entries: inspected([]) }
    case 'allowlist':
      break
    default:
      throw new PaddockError('BAD_INPUT', `--egress ${options.egress}: there is no such policy.`, {
        hint: 'The policies are off, allowlist, public, open.',
      })
  }
  const entries = [
    ...(agent !== null && options.baseUrl === undefined ? agent.hosts : []),
    ...options.allow.map((each) => parseAllow(each, { place: '--allow' })),
    ...options.ask.map((each) => parseAsk(each)),
    ...(options.projectAllow ?? []).map((each) => parseAllow(each)),
    ...(options.projectAsk ?? []).map((each) => parseAsk(each)),
  ]
  if (options.baseUrl !== undefined && options.credentials !== 'endpoint') entries.push(...baseUrlEntry(options.baseUrl, entries))
  if (options.preset.length > 0) {
    const { presetEntriesOf } = await import('./presets.ts')
    entries.push(...(await presetEntriesOf(options.preset, adapters, host)))
  }
  return { mode: 'allowlist', entries: inspected(entries) }
}

function baseUrlEntry(text: string, named: readonly { readonly host: string; readonly ports: readonly number[] }[]) {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new PaddockError('BAD_INPUT', `--base-url ${text} is not an http or https address.`, {
      hint: 'For example --base-url https://models.example',
    })
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  return named.some((each) => each.host === url.hostname && each.ports.includes(port))
    ? []
    : [parseAllow(`${url.hostname}:${port}`, { place: '--base-url' })]
}
