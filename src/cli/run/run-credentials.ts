import type { AgentAdapter } from '../../adapters/adapter.ts'
import type { Host } from '../../host.ts'
import { boundSecrets, parseSecretWish } from '../../run/bound-secrets.ts'
import { type CellCredentials, cellCredentials, type ModelEndpoint, modelEndpoint } from '../../run/cell-credentials.ts'
import { wayOf } from './credential-option.ts'

/** The options of `paddock run` that are about credentials. */
interface CredentialOptions {
  readonly baseUrl?: string
  readonly login: boolean
  readonly credentials?: string
  readonly secret: readonly string[]
}

/** What a run's cell gets in the way of credentials. */
export interface RunCredentials extends CellCredentials {
  /** Where the agent is pointed at; null: at the vendor, or where the user said. */
  readonly endpoint: ModelEndpoint | null
}

/** `env`: what the user named, with values. `agent`: null for a bare command, which gets secrets of the vault alone. */
export async function runCredentials(
  agent: AgentAdapter | null,
  options: CredentialOptions,
  env: Readonly<Record<string, string>>,
  host: Host,
): Promise<RunCredentials> {
  const baseUrl = options.baseUrl ?? null
  const wishes = options.secret.map((each) => parseSecretWish(each, '--secret'))
  const secrets = await boundSecrets(wishes, { adapter: agent, baseUrl }, host.secrets)
  const all = { ...env, ...secrets.env }
  if (agent === null) {
    const none = { source: null, homeFiles: [], mounts: [], inCell: [], notes: [], endpoint: null, end: async () => {} }
    return { ...none, env: all, credentials: secrets.credentials }
  }
  const home = host.paths.userHome
  const way = wayOf(options.credentials)
  const asked = {
    mode: way?.mode ?? null,
    volume: way?.volume ?? null,
    login: options.login,
    env: all,
    bound: Object.keys(secrets.env),
    baseUrl,
    home,
  }
  const given = await cellCredentials(agent, asked, host.logins)
  const notes = [...given.notes]
  const variable = agent.credentials(home).find((each) => each.kind === 'env')?.name
  if (given.source === null && variable !== undefined && baseUrl === null)
    notes.push(
      `${agent.name} has no credential in this cell. ${agent.login === undefined ? 'Name' : `Run: paddock login ${agent.name}, or name`} a key: --env ${variable}`,
    )
  const endpoint = modelEndpoint(agent, given.source, asked)
  return { ...given, credentials: [...given.credentials, ...secrets.credentials], notes, endpoint }
}
