import type { AgentAdapter } from '../../adapters/adapter.ts'
import { loginFormats } from '../../adapters/agent-facts.ts'
import { adapters } from '../../adapters/find-adapter.ts'
import { hasPlaceholder } from '../../adapters/placeholders.ts'
import { messageOf, PaddockError } from '../../base/errors.ts'
import { disposeLogin, type HostLogin, type LoginPlace, type LoginSource } from '../../credentials/agent-login.ts'
import { expiryOf } from '../../credentials/expiry.ts'
import { ghFormat } from '../../credentials/forge/gh.ts'
import type { LoginFormat } from '../../credentials/format.ts'
import { listVolumes, readVolume } from '../../credentials/volume/volume.ts'
import { defaultVolume } from '../../credentials/volume/volume-files.ts'

/** Returns the login formats of all agents, and of `gh`. */
export async function allFormats(): Promise<readonly LoginFormat[]> {
  return [...(await loginFormats()), ghFormat]
}

/** A credential of this machine as `paddock credentials` shows it, without its value. */
export interface CredentialLine {
  readonly agent: string
  /** The vendor, if the agent can have logins at several vendors. */
  readonly provider: string | null
  readonly kind: 'subscription' | 'key' | null
  readonly source:
    | LoginSource
    | { readonly kind: 'environment'; readonly name: string }
    | { readonly kind: 'volume'; readonly name: string; readonly path: string }
    | null
  readonly account: string | null
  readonly expiresAt: string | null
  /** `renewable`: the access token expires and is renewed automatically. `unusable`: `problem` gives the reason. */
  readonly state: 'good' | 'renewable' | 'soon' | 'ended' | 'unusable'
  /** The way in which a cell gets the credential; null if cells do not get it. */
  readonly inCell: string | null
  readonly problem: string | null
  readonly hint: string | null
  readonly warnings: readonly string[]
}

/** Returns all credentials: keys in environment variables that the adapters know, the agents' own logins, and the volumes in `state`. */
export async function listCredentials(place: LoginPlace, state: string, now: number): Promise<readonly CredentialLine[]> {
  const lines: CredentialLine[] = []
  const formats = await allFormats()
  for (const format of formats) {
    const { agent } = format
    const adapter = adapters.find((each) => each.name === agent) ?? null
    lines.push(...fromEnvironment(adapter, place))
    const own = await stored(agent, adapter, () => format.read(place), place, now)
    lines.push(...own)
    for (const volume of await listVolumes(formats, state, agent)) {
      const inIt = await stored(agent, adapter, () => readVolume(volume), place, now)
      const asked = `the login itself, with --credentials volume:${volume.name}`
      // The default volume is used if the host has no login.
      const usual = volume.name === defaultVolume && own.length === 0
      lines.push(...inIt.map((each) => ({ ...each, inCell: each.state === 'unusable' ? null : usual ? each.inCell : asked })))
    }
  }
  return lines
}

function fromEnvironment(adapter: AgentAdapter | null, { home, env }: LoginPlace): CredentialLine[] {
  return (adapter?.credentials(home) ?? []).flatMap((each): CredentialLine[] => {
    if (each.kind !== 'env' || (env[each.name] ?? '') === '') return []
    const none = { provider: null, account: null, expiresAt: null, problem: null, hint: null, warnings: [] }
    const source = { kind: 'environment', name: each.name } as const
    return [{ ...none, agent: adapter?.name ?? '', kind: 'key', source, state: 'good', inCell: `a placeholder, with --env ${each.name}` }]
  })
}

async function stored(
  agent: string,
  adapter: AgentAdapter | null,
  read: () => Promise<readonly HostLogin[]>,
  place: LoginPlace,
  now: number,
): Promise<CredentialLine[]> {
  try {
    return (await read()).map((login) => {
      const line = lineOf(login, adapter, place, now)
      disposeLogin(login)
      return line
    })
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error
    const none = { provider: null, kind: null, source: null, account: null, expiresAt: null, inCell: null, warnings: [] }
    return [{ ...none, agent, state: 'unusable', problem: messageOf(error), hint: error.hint ?? null }]
  }
}

function lineOf(login: HostLogin, adapter: AgentAdapter | null, { home }: LoginPlace, now: number): CredentialLine {
  const { agent, provider, kind, source, account, expiresAt, volume, warnings = [] } = login
  const { state, renewable, sentence, hint } = expiryOf(login, now)
  const shown = (adapter?.credentials(home) ?? []).some((each) => each.kind === 'snapshot')
  return {
    agent,
    provider,
    kind,
    source: volume === undefined || source.kind !== 'file' ? source : { kind: 'volume', name: volume, path: source.path },
    account,
    expiresAt: expiresAt?.toISOString() ?? null,
    state: renewable && state !== 'good' ? 'renewable' : state,
    inCell:
      adapter !== null && hasPlaceholder(adapter, login)
        ? 'a placeholder'
        : shown && source.kind === 'file'
          ? 'a copy, with --credentials snapshot'
          : null,
    problem: sentence,
    hint,
    warnings,
  }
}
