import type { AgentAdapter } from '../agents/adapter.ts'
import { boundSecrets, parseSecretWish } from '../agents/bound-secrets.ts'
import {
  type CellCredentials,
  type CredentialMode,
  cellCredentials,
  credentialModes,
  type ModelEndpoint,
  modelEndpoint,
} from '../agents/cell-credentials.ts'
import { PaddockError } from '../errors.ts'
import type { Context } from './context.ts'

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
  context: Context,
): Promise<RunCredentials> {
  const baseUrl = options.baseUrl ?? null
  const wishes = options.secret.map((each) => parseSecretWish(each, '--secret'))
  const secrets = await boundSecrets(wishes, { adapter: agent, baseUrl }, context.secrets)
  const all = { ...env, ...secrets.env }
  if (agent === null) {
    const none = { source: null, homeFiles: [], mounts: [], inCell: [], notes: [], endpoint: null, end: async () => {} }
    return { ...none, env: all, credentials: secrets.credentials }
  }
  const home = context.paths.userHome
  const asked = { mode: modeOf(options.credentials), login: options.login, env: all, bound: Object.keys(secrets.env), baseUrl, home }
  const given = await cellCredentials(agent, asked, context.logins)
  const notes = [...given.notes]
  const variable = agent.credentials(home).find((each) => each.kind === 'env')?.name
  if (given.source === null && variable !== undefined && baseUrl === null)
    notes.push(`${agent.name} has no credential in this cell; name one with --env ${variable}, or log in inside.`)
  const endpoint = modelEndpoint(agent, given.source, asked)
  return { ...given, credentials: [...given.credentials, ...secrets.credentials], notes, endpoint }
}

function modeOf(text: string | undefined): CredentialMode | null {
  if (text === undefined) return null
  const found = credentialModes.find((each) => each === text)
  if (found !== undefined) return found
  throw new PaddockError('BAD_INPUT', `--credentials ${text}: there is no such way.`, {
    hint: `The ways are ${credentialModes.join(', ')}.`,
  })
}
