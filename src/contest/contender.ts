import { existsSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter, AgentCommand, CredentialSource, Family } from '../agents/adapter.ts'
import { adapters, findAdapter } from '../agents/registry.ts'
import type { LimitWishes } from '../cell/limits.ts'
import type { MountWish } from '../cell/spec.ts'
import { expiryOf } from '../credentials/expiry.ts'
import { disposeLogin, loginAgents, readHostLogins } from '../credentials/host-login.ts'
import { parseAllow } from '../egress/allow.ts'
import type { AllowEntry, EgressPolicy } from '../egress/policy.ts'
import { isRegistryTool, presetEntries } from '../egress/presets.ts'
import { PaddockError } from '../errors.ts'
import type { ContestDeps } from './deps.ts'
import { ownNode } from './own-node.ts'
import type { Contender, LimitsConfig } from './schema.ts'
import { familyBehind } from './sense.ts'

/** A participant or judge with everything found that its cell needs: it can start. */
export interface Ready {
  readonly name: string
  readonly agent: string
  readonly model: string | null
  readonly family: Family
  readonly adapter: AgentAdapter
  readonly command: AgentCommand
  readonly mounts: readonly MountWish[]
  readonly pathEntries: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly egress: EgressPolicy
  readonly limits: LimitWishes
}

/**
 * Finds program, credential and network of a participant or judge, before anything runs. `place` is its key in
 * contest.yaml. Throws AGENT_NOT_INSTALLED, LOGIN_NEEDED or BAD_INPUT.
 */
export async function readyContender(
  contender: Contender,
  place: string,
  about: { cwd: string; contestRoot: string; wallMs: number },
  deps: ContestDeps,
): Promise<Ready> {
  const adapter = findAdapter(contender.agent)
  const installation = await deps.findInstallation(adapter)
  if (installation === null) {
    throw new PaddockError('AGENT_NOT_INSTALLED', `${place}: ${contender.agent} is not installed on this machine`, {
      hint: adapter.installHint,
    })
  }
  const named = environmentOf(contender, place, deps)
  const home = deps.paths.userHome
  const credential = credentialOf(contender, adapter, named, place, home)
  if (credential?.kind === 'snapshot') await checkLogin(adapter, place, deps)
  const command = adapter.headless(
    {
      model: contender.model ?? null,
      args: [...(contender.command ?? []), ...contender.args],
      baseUrl: contender.baseUrl ?? null,
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
  if (credential?.kind === 'snapshot')
    mounts.push({ source: credential.hostPath, target: path.join(home, credential.homePath), access: 'ro', reason: 'agent' })
  if (contender.files !== undefined)
    mounts.push({ source: path.join(about.contestRoot, contender.files), target: '/agent', access: 'ro', reason: 'contest' })
  return {
    name: contender.name,
    agent: contender.agent,
    model: contender.model ?? null,
    family: familyBehind(contender, adapter),
    adapter,
    command,
    mounts,
    pathEntries,
    env: { ...command.env, ...named },
    egress: await egressOf(contender, adapter, place, deps),
    limits: limitsOf(contender.limits, about.wallMs),
  }
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

function environmentOf(contender: Contender, place: string, deps: ContestDeps): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [index, each] of contender.env.entries()) {
    const equals = each.indexOf('=')
    if (equals >= 0) {
      env[each.slice(0, equals)] = each.slice(equals + 1)
      continue
    }
    const value = deps.env[each]
    if (value === undefined) {
      throw new PaddockError('BAD_INPUT', `${place}.env[${index}]: ${each} is not set in your environment`, {
        hint: `export ${each}=… and run again, or write ${each}=VALUE`,
      })
    }
    env[each] = value
  }
  return env
}

/** The first source that is at hand: a variable that the contest names, else a login of the host as a read-only snapshot. */
function credentialOf(
  contender: Contender,
  adapter: AgentAdapter,
  named: Readonly<Record<string, string>>,
  place: string,
  home: string,
): CredentialSource | null {
  const sources = adapter.credentials(home)
  const found = sources.find((each) => (each.kind === 'env' ? Object.hasOwn(named, each.name) : existsSync(each.hostPath)))
  if (found !== undefined) return found
  // Behind an endpoint of one's own there may be no login at all.
  if (sources.length === 0 || contender.baseUrl !== undefined) return null
  const variable = sources.find((each) => each.kind === 'env')?.name
  throw new PaddockError('LOGIN_NEEDED', `${place}: ${contender.agent} is not logged in on this machine`, {
    hint: `log in with: ${adapter.program}${variable === undefined ? '' : `; or name ${variable} in ${place}.env`}`,
  })
}

/** Says before anything runs that a login has ended or ends soon. Throws LOGIN_NEEDED where it is of no use any more. */
async function checkLogin(adapter: AgentAdapter, place: string, deps: ContestDeps): Promise<void> {
  const agent = loginAgents.find((each) => each === adapter.name)
  if (agent === undefined) return
  const warn = (message: string): void => deps.progress({ type: 'warning', message: `${place}: ${message}` })
  try {
    // The very file that the cell will see: the usual place, whatever the user's environment says.
    const logins = await readHostLogins(agent, { home: deps.paths.userHome, env: {}, platform: 'linux' })
    const ends = logins.map((login) => expiryOf(login, deps.now().getTime()))
    for (const each of logins) disposeLogin(each)
    // Of several, the model decides which one counts.
    const ended = ends.length > 0 && ends.every((each) => each.state === 'ended' && !each.renewable) ? ends[0] : undefined
    if (ended?.sentence != null)
      throw new PaddockError('LOGIN_NEEDED', `${place}: ${ended.sentence}`, { hint: ended.hint ?? `log in with: ${adapter.program}` })
    for (const { sentence, hint } of ends) if (sentence !== null) warn(`${sentence} ${hint ?? ''}`.trim())
  } catch (error) {
    // What Paddock cannot read, a newer CLI may.
    if (!(error instanceof PaddockError) || error.code === 'LOGIN_NEEDED') throw error
    warn(`${error.message} ${error.hint ?? ''}`.trim())
  }
}

async function egressOf(contender: Contender, adapter: AgentAdapter, place: string, deps: ContestDeps): Promise<EgressPolicy> {
  const { egress } = contender
  if (egress?.policy === 'off') return { mode: 'off' }
  if (egress?.policy === 'public') return { mode: 'public', entries: [], blocked: [] }
  if (egress?.policy === 'open') return { mode: 'open', entries: [] }
  const own = contender.baseUrl === undefined ? adapter.hosts : []
  const entries: AllowEntry[] = [...own]
  for (const [index, each] of (egress?.allow ?? []).entries())
    entries.push(parseAllow(each, { source: 'user', place: `${place}.egress.allow[${index}]` }))
  const agents = Object.fromEntries(adapters.map((each) => [each.name, each.hosts]))
  const presets = egress?.presets ?? []
  const facts = await deps.presetFacts(presets.filter(isRegistryTool))
  for (const each of presets) entries.push(...presetEntries(each, facts, agents))
  if (contender.baseUrl !== undefined) entries.push(...endpointEntry(contender.baseUrl, entries, place))
  return entries.length === 0 ? { mode: 'off' } : { mode: 'allowlist', entries }
}

/** The host of `baseUrl` is allowed without being named again; where it is named, that entry says how it is reached. */
function endpointEntry(baseUrl: string, entries: readonly AllowEntry[], place: string): AllowEntry[] {
  const url = new URL(baseUrl)
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
  if (entries.some((each) => each.host === url.hostname && each.ports.includes(port))) return []
  return [parseAllow(`${url.hostname}:${port}`, { source: 'user', place: `${place}.baseUrl` })]
}
