import type { AgentAdapter, AgentCommand, CredentialSource, Installation, McpEndpoint } from '../adapters/adapter.ts'
import { adapterFor } from '../adapters/registry.ts'
import type { CellSpec, MaskWish, MountWish } from '../cell/plan/spec.ts'
import type { RunRequest } from '../config/request/request.ts'
import { openForges } from '../credentials/forge/forge-access.ts'
import type { EgressPolicy } from '../egress/policy/policy.ts'
import { PaddockError } from '../errors.ts'
import type { RunHost } from '../host.ts'
import { accessOf, noteWithout, refuseWithout } from './access.ts'
import { modelEndpoint } from './cell-credentials.ts'
import { checkLogin } from './check-login.ts'
import { egressOf } from './egress.ts'
import { masksOf } from './masks.ts'
import { mountsOf } from './mounts.ts'
import { together } from './several-problems.ts'
import { unreachedSecrets } from './unreached-secrets.ts'

/** An agent without a terminal that says nothing for so long has hung. Any other program may be silent by nature. */
const silenceMs = 30 * 60_000

/** Where a run takes place. */
export interface RunPlace {
  /** Absolute path in the cell that the agent works in. */
  readonly cwd: string
  /** The project of the host that the cell works on, which has `cwd`; absent: what it needs is mounted. */
  readonly project?: string
  /** Begins sentences about this run: `participants[1]: `; empty for the only one. */
  readonly place: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The conversation of the agent's CLI to continue; null or absent: a new one. */
  readonly conversation?: string | null
  /** True: an agent without any credential is refused. False: the user gets a note. */
  readonly needsCredential: boolean
  /** An MCP server that a headless agent is to use. */
  readonly mcp?: McpEndpoint | null
}

/** What one cell of a run has besides what its agent needs. */
export interface CellPlace {
  /** For messages and the audit log: `run claude`, `participant alpha`. */
  readonly name: string
  /** A directory of the host for the private home. Only the cell writes into it. */
  readonly home: string
  readonly mounts?: readonly MountWish[]
  readonly masks?: readonly MaskWish[]
  readonly pathEntries?: readonly string[]
}

/** A run that can start: everything that can be refused was. */
export interface PreparedRun {
  readonly request: RunRequest
  readonly adapter: AgentAdapter
  readonly command: AgentCommand
  /** Of the agent's program; null: it does not say. */
  readonly version: string | null
  /** The credential that the agent uses; null: none. */
  readonly source: CredentialSource | null
  /** The login that it gets, as text for people; null: none. */
  readonly login: string | null
  readonly egress: EgressPolicy
  /** What the user should know, one sentence each. */
  readonly notes: readonly string[]
  /** The wishes for one cell, with credentials of its own; to be ended when the cell is gone. */
  forCell(where: CellPlace): Promise<PreparedCell>
}

export interface PreparedCell {
  readonly spec: CellSpec
  readonly notes: readonly string[]
  end(): Promise<void>
}

/**
 * Finds the program, the login, the network and the secrets of a request.
 * @throws PaddockError AGENT_NOT_INSTALLED, LOGIN_NEEDED, BAD_INPUT, NOT_ALLOWED or UNENFORCEABLE, with all that is missing at once
 */
export async function prepare(request: RunRequest, where: RunPlace, host: RunHost): Promise<PreparedRun> {
  const words = [...request.command, ...request.args]
  const adapter = adapterFor(request.agent, words)
  const home = host.paths.userHome
  const { conversation = null } = where
  if (conversation !== null && (request.terminal || adapter.sessions === undefined))
    throw new PaddockError('BAD_INPUT', `${where.place}${adapter.name} cannot continue a conversation.`, {
      hint: 'Send the prompt as a new one',
    })
  const [installation, { access, loginNotes }] = await together([
    () => installationOf(adapter, where.place, host),
    () => goodAccess(request, adapter, where, host),
  ])
  const endpoint = modelEndpoint(adapter, access.source, access.wishes)
  const forges = await openForges(
    { repositories: request.repositories, env: access.named, login: request.credentials?.mode !== 'none' },
    host.logins,
  )
  const mounts: readonly MountWish[] = [
    ...mountsOf(request.mounts, where.cwd),
    ...installation.mounts.map((each) => ({ ...each, reason: 'agent' as const })),
  ]
  const masking =
    where.project === undefined
      ? { masks: [], notes: [] }
      : masksOf(request.masks, { cwd: where.cwd, project: where.project, userHome: home, mounts })
  const wishes = {
    model: request.model,
    args: words,
    baseUrl: endpoint?.baseUrl ?? access.wishes.baseUrl,
    credential: access.source,
    conversation,
    mcp: where.mcp ?? null,
    home,
    cwd: where.cwd,
  }
  const command = request.terminal ? adapter.interactive(wishes, installation) : adapter.headless(wishes, installation)
  const egress = await egressOf(request, { adapter, endpoint, forges: forges.forges }, host)
  return {
    request,
    adapter,
    command,
    version: installation.version,
    source: access.source,
    login: access.login,
    egress,
    notes: [
      ...loginNotes,
      ...forges.notes,
      ...(adapter.tried ? [] : [`the ${adapter.name} adapter was written from its documentation and has not been run with the real CLI.`]),
      ...masking.notes,
      ...aroundInspection(request),
      ...unreachedSecrets(egress, access.secrets),
    ],
    async forCell(place) {
      const given = await access.forCell()
      const forge = forges.forCell()
      const masks = [...masking.masks, ...(place.masks ?? [])]
      return {
        notes: given.notes,
        end: given.end,
        spec: {
          name: place.name,
          command: command.argv,
          cwd: where.cwd,
          ...(where.project === undefined ? {} : { project: where.project }),
          mounts: [...mounts, ...given.mounts, ...(place.mounts ?? [])],
          files: [],
          ...(masks.length === 0 ? {} : { masks }),
          home: { kind: 'persistent', path: place.home },
          homeFiles: [...command.homeFiles, ...given.homeFiles],
          env: { ...command.env, ...given.env, ...forge.env },
          pathEntries: [...installation.pathEntries, ...(place.pathEntries ?? [])],
          egress,
          credentials: [...given.credentials, ...forge.credentials],
          gitConfig: forge.gitConfig,
          limits: request.limits,
          defaultLimits: adapter.name === 'command' || request.terminal ? {} : { silence: silenceMs },
          publish: request.publish,
          terminal: request.terminal,
          degraded: request.degraded,
        },
      }
    },
  }
}

/** A credential that is missing or has ended is found now. */
async function goodAccess(request: RunRequest, adapter: AgentAdapter, where: RunPlace, host: RunHost) {
  const access = await accessOf(request, adapter, host)
  if (where.needsCredential) refuseWithout(request, adapter, access, where.place)
  const loginNotes = await checkLogin(adapter, access.source, access.wishes, where, host)
  return { access, loginNotes: where.needsCredential ? loginNotes : [...loginNotes, ...noteWithout(request, adapter, access)] }
}

async function installationOf(adapter: AgentAdapter, place: string, host: RunHost): Promise<Installation> {
  const installation = await host.installation(adapter)
  if (installation !== null) return installation
  throw new PaddockError('AGENT_NOT_INSTALLED', `${place}${adapter.name} is not installed on this machine.`, { hint: adapter.installHint })
}

/** Under a policy with a way out of its own, the gateway has only what asks for a name. */
function aroundInspection({ egress, repositories }: RunRequest): readonly string[] {
  const { policy, inspect, rules, ruleSets } = egress
  if (policy.value !== 'public' && policy.value !== 'open') return []
  if (inspect.length + rules.length + ruleSets.length + repositories.length === 0) return []
  return [
    `under --egress ${policy.value} a cell can bypass inspection and rules by connecting to a host’s address; only credentials stay behind them. --egress allowlist has no such way.`,
  ]
}
