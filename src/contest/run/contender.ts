import path from 'node:path'
import type { AgentAdapter, AgentCommand, Family, Installation } from '../../adapters/adapter.ts'
import { adapters, findAdapter } from '../../adapters/registry.ts'
import type { LimitWishes } from '../../cell/plan/limits.ts'
import type { MountWish } from '../../cell/plan/spec.ts'
import { type ForgeAccess, type Forges, openForges } from '../../credentials/forge-access.ts'
import { withForges } from '../../egress/forge/forge-entries.ts'
import { parseRepository } from '../../egress/forge/repository.ts'
import { parseAllow, parseAsk } from '../../egress/policy/allow.ts'
import { parseBlock } from '../../egress/policy/block.ts'
import type { AllowEntry, EgressPolicy } from '../../egress/policy/policy.ts'
import { isRegistryTool, presetEntries } from '../../egress/policy/presets.ts'
import { withInspection } from '../../egress/requests/inspected-entries.ts'
import { PaddockError } from '../../errors.ts'
import { type CellCredentials, type ModelEndpoint, modelEndpoint } from '../../run/cell-credentials.ts'
import type { Contender, LimitsConfig } from '../config/schema.ts'
import { familyBehind } from '../config/sense.ts'
import { accessOf } from './contender-access.ts'
import type { ContestDeps } from './deps.ts'
import { ownNode } from './own-node.ts'
import { together } from './several-problems.ts'

/** A participant or judge with everything found that its cell needs: it can start. */
export interface Ready {
  readonly name: string
  readonly agent: string
  readonly model: string | null
  readonly family: Family
  readonly adapter: AgentAdapter
  readonly command: AgentCommand
  /** Made anew for each cell. */
  readonly credentials: () => Promise<CellCredentials>
  /** The same for its repositories. */
  readonly forges: () => ForgeAccess
  /** The login that it gets, as text for people; null: none. */
  readonly login: string | null
  readonly mounts: readonly MountWish[]
  readonly pathEntries: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly egress: EgressPolicy
  readonly limits: LimitWishes
}

/**
 * Finds program, credential and network of a participant or judge, before anything runs. `place` is its key in
 * contest.yaml. Throws AGENT_NOT_INSTALLED, LOGIN_NEEDED or BAD_INPUT, with all that is missing.
 */
export async function readyContender(
  contender: Contender,
  place: string,
  about: { cwd: string; contestRoot: string; wallMs: number },
  deps: ContestDeps,
): Promise<Ready> {
  const adapter = findAdapter(contender.agent)
  const [installation, access] = await together([
    () => installationOf(adapter, place, deps),
    () => accessOf(contender, adapter, place, deps),
  ])
  const { named, source: credential, wishes } = access
  const { home } = wishes
  const endpoint = modelEndpoint(adapter, credential, wishes)
  const repositories = contender.repos.map((each, index) => parseRepository(each, `${place}.repos[${index}]`))
  const forges = await openForges({ repositories, env: named, login: contender.credentials !== 'none' }, deps.logins)
  const command = adapter.headless(
    {
      model: contender.model ?? null,
      args: [...(contender.command ?? []), ...contender.args],
      baseUrl: endpoint?.baseUrl ?? wishes.baseUrl,
      credential,
      home,
      cwd: about.cwd,
    },
    installation,
  )
  const mounts: MountWish[] = installation.mounts.map((each) => ({ ...each, reason: 'agent' as const }))
  const pathEntries = [...installation.pathEntries]
  if (contender.agent === 'command') {
    mounts.push(ownNode.mount)
    pathEntries.push(ownNode.pathEntry)
  }
  if (contender.files !== undefined)
    mounts.push({ source: path.join(about.contestRoot, contender.files), target: '/agent', access: 'ro', reason: 'contest' })
  return {
    name: contender.name,
    agent: contender.agent,
    model: contender.model ?? null,
    family: familyBehind(contender, adapter),
    adapter,
    command,
    credentials: access.credentials,
    login: access.login,
    forges: forges.forCell,
    mounts,
    pathEntries,
    env: { ...command.env, ...named },
    egress: await egressOf(contender, adapter, place, deps, endpoint, forges),
    limits: limitsOf(contender.limits, about.wallMs),
  }
}

async function installationOf(adapter: AgentAdapter, place: string, deps: ContestDeps): Promise<Installation> {
  const installation = await deps.installation(adapter)
  if (installation !== null) return installation
  throw new PaddockError('AGENT_NOT_INSTALLED', `${place}: ${adapter.name} is not installed on this machine`, { hint: adapter.installHint })
}

export function limitsOf(limits: LimitsConfig, wallMs: number): LimitWishes {
  return {
    wallMs: limits.wall ?? wallMs,
    ...(limits.silence === undefined ? {} : { silenceMs: limits.silence }),
    ...(limits.memory === undefined ? {} : { memoryBytes: limits.memory }),
    ...(limits.processes === undefined ? {} : { processes: limits.processes }),
    ...(limits.disk === undefined ? {} : { diskBytes: limits.disk }),
    ...(limits.fileSize === undefined ? {} : { fileBytes: limits.fileSize }),
  }
}

async function egressOf(
  contender: Contender,
  adapter: AgentAdapter,
  place: string,
  deps: ContestDeps,
  endpoint: ModelEndpoint | null,
  { forges }: Forges,
): Promise<EgressPolicy> {
  const { egress } = contender
  const { inspect = [], rules = [], ruleSets = [], ask = [], block = [] } = egress ?? {}
  const judged = (entries: readonly AllowEntry[]) =>
    withInspection(
      withForges(entries, forges),
      { inspect, rule: rules, rules: ruleSets },
      { inspect: `${place}.egress.inspect`, rule: `${place}.egress.rules`, rules: `${place}.egress.ruleSets` },
    )
  if (egress?.policy === 'off') {
    if (forges.length > 0)
      throw new PaddockError('BAD_INPUT', `${place}.repos: mean nothing without a network`, { hint: `leave ${place}.egress.policy out` })
    return { mode: 'off' }
  }
  const ends = endpoint === null ? [] : [endpoint.entry]
  if (egress?.policy === 'public')
    return { mode: 'public', entries: judged(ends), blocked: block.map((each) => parseBlock(each, `${place}.egress.block`)) }
  if (egress?.policy === 'open') return { mode: 'open', entries: judged(ends) }
  const own = contender.baseUrl === undefined && endpoint === null ? adapter.hosts : []
  const entries: AllowEntry[] = [...ends, ...own]
  for (const [index, each] of (egress?.allow ?? []).entries())
    entries.push(parseAllow(each, { source: 'user', place: `${place}.egress.allow[${index}]` }))
  for (const [index, each] of ask.entries()) entries.push(parseAsk(each, `${place}.egress.ask[${index}]`))
  const agents = Object.fromEntries(adapters.map((each) => [each.name, each.hosts]))
  const presets = egress?.presets ?? []
  const facts = await deps.presets(presets.filter(isRegistryTool))
  for (const each of presets) entries.push(...presetEntries(each, facts, agents))
  if (contender.baseUrl !== undefined && endpoint === null) entries.push(...baseUrlEntry(contender.baseUrl, entries, place))
  const all = judged(entries)
  return all.length === 0 ? { mode: 'off' } : { mode: 'allowlist', entries: all }
}

/** The host of `baseUrl` is allowed without being named again; where it is named, that entry says how it is reached. */
function baseUrlEntry(baseUrl: string, entries: readonly AllowEntry[], place: string): AllowEntry[] {
  const url = new URL(baseUrl)
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  if (entries.some((each) => each.host === url.hostname && each.ports.includes(port))) return []
  return [parseAllow(`${url.hostname}:${port}`, { source: 'user', place: `${place}.baseUrl` })]
}
