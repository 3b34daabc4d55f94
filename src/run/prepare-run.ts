import { createHash } from 'node:crypto'
import type { AgentAdapter, AgentCommand, AgentWishes, CredentialSource, Installation } from '../adapters/adapter.ts'
import { adapterFor } from '../adapters/find-adapter.ts'
import type { McpServer } from '../adapters/mcp-server.ts'
import { cellInstructions } from '../adapters/own-instructions.ts'
import type { Settings } from '../adapters/settings.ts'
import { PaddockError } from '../base/errors.ts'
import { onBareHost } from '../cell/plan/bare-host/plan-command.ts'
import type { Rights } from '../cell/plan/rights.ts'
import type { CellSpec, MaskWish, MountWish, PersistentHome } from '../cell/plan/spec.ts'
import { refuseOnBareHost } from '../config/request/refuse-on-bare-host.ts'
import type { RunRequest } from '../config/request/request.ts'
import { openForges } from '../credentials/forge/forge-access.ts'
import type { EgressPolicy } from '../egress/policy/egress-policy.ts'
import type { PresetFacts } from '../egress/policy/presets.ts'
import type { RunHost } from '../host.ts'
import { type CellCredentials, modelEndpoint } from './cell-credentials.ts'
import { checkLogin } from './check-login.ts'
import { egressOf, presetFactsOf } from './egress.ts'
import { masksOf } from './mask-wishes.ts'
import { mountsOf } from './mount-wishes.ts'
import type { CellRegistries, CellVariables } from './registries.ts'
import { remoteLogins } from './remote-logins.ts'
import { accessOf, noteWithout, refuseWithout } from './run-access.ts'
import { together } from './several-problems.ts'
import { type TrifectaRemedy, trifectaRemedy } from './trifecta/trifecta-remedy.ts'
import { untrustedContent, untrustedSources } from './trifecta/untrusted-content.ts'
import { refuseWebTools, webToolOptions } from './trifecta/web-tools.ts'
import { unreachedSecrets } from './unreached-secrets.ts'

/** The time without output, in milliseconds, after which an agent without a terminal has hung. Other programs may be silent by nature. */
const silenceMs = 30 * 60_000

/** The context of a run. */
export interface RunPlace {
  /** The agent's working directory, as an absolute path in the cell. */
  readonly cwd: string
  /** The project on the host that contains `cwd`. Absent: the mounts have everything that the cell needs. */
  readonly project?: string
  /** The start of sentences about this run: `participants[1]: `. Empty if there is only one run. */
  readonly place: string
  /** The current time, in milliseconds since the epoch. */
  readonly now: number
  /** The conversation of the agent's CLI to continue; null or absent: a new one. */
  readonly conversation?: string | null
  /**
   * True: the user gave this request in person, so without a mode the cell sees a copy of a login that cannot have a placeholder. False: it is
   * refused, because the request is in a file or from somebody else.
   */
  readonly mayShowLogin: boolean
  /** True: an agent without any credential is refused. False: the user gets a note. */
  readonly needsCredential: boolean
  /** Returns the hint with the command that starts the same run with such a change. Absent: the request is in a file. */
  readonly rerun?: (remedy: TrifectaRemedy) => string
  /** MCP servers for a headless agent; absent: no server. */
  readonly mcp?: readonly McpServer[]
  /** Settings for the CLI's settings file; null or absent: only those that its adapter needs. */
  readonly config?: Settings | null
  /** The absolute path of the agent's program on the host; null or absent: the one in the user's PATH. */
  readonly program?: string | null
}

/** The settings of one cell of a run that do not depend on its agent. */
export interface CellPlace {
  /** A name for messages and the audit log: `run claude`, `participant alpha`. */
  readonly name: string
  /** A host directory for the private home, in which only cells write; null: a temporary one. */
  readonly home: string | null
  readonly othersInHome?: PersistentHome['others']
  /** True if the cell cannot do with a temporary home (`PersistentHome.isNeeded`). */
  readonly needsHome?: boolean
  /** All rights of the cell; absent: they follow from its wishes. */
  readonly rights?: Rights
  readonly mounts?: readonly MountWish[]
  readonly masks?: readonly MaskWish[]
  readonly pathEntries?: readonly string[]
}

/** A run that can start, because everything that could be refused has been checked. */
export interface PreparedRun {
  readonly request: RunRequest
  readonly adapter: AgentAdapter
  readonly command: AgentCommand
  /** The version of the agent's program; null: the program does not report one. */
  readonly version: string | null
  /** The credential that the agent uses; null: it has no credential. */
  readonly source: CredentialSource | null
  /** The agent's login, as text for people; null: it has no login. */
  readonly login: string | null
  readonly egress: EgressPolicy
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
  /** Returns the wishes for one cell, with its own credentials. Call `end` when the cell has ended. */
  forCell(where: CellPlace): Promise<PreparedCell>
}

export interface PreparedCell {
  readonly spec: CellSpec
  readonly notes: readonly string[]
  end(): Promise<void>
}

/**
 * Finds the program, the login, the network and the secrets of a request.
 * @throws PaddockError AGENT_NOT_INSTALLED, LOGIN_NEEDED, BAD_INPUT, NOT_ALLOWED or UNENFORCEABLE, listing everything that is missing
 */
export async function prepare(request: RunRequest, where: RunPlace, host: RunHost): Promise<PreparedRun> {
  const isBareHost = request.isBareHost === true
  if (isBareHost) refuseOnBareHost(request, where.place)
  const words = [...request.command, ...request.args]
  const adapter = adapterFor(request.agent, words)
  const home = host.paths.userHome
  const { conversation = null } = where
  if (conversation !== null && (request.terminal || adapter.sessions === undefined))
    throw new PaddockError('BAD_INPUT', `${where.place}${adapter.name} cannot continue a conversation.`, {
      hint: 'Send the prompt as a new one',
    })
  if (conversation !== null && request.posture === 'L1')
    throw new PaddockError('BAD_INPUT', `${where.place}a cell of L1 cannot continue a conversation, because it has no private home.`, {
      hint: 'Send the prompt as a new one, or use L2',
    })
  refuseWebTools(request, adapter, where.place)
  const [installation, { access, loginNotes }] = await together([
    () => installationOf(adapter, where, host),
    () => goodAccess(request, adapter, where, host),
  ])
  const endpoint = modelEndpoint(adapter, access.source, access.wishes)
  const mounts: readonly MountWish[] = [
    ...mountsOf(request.mounts, where.cwd),
    ...installation.mounts.map((each) => ({ ...each, reason: 'agent' as const })),
  ]
  const masking =
    where.project === undefined
      ? { masks: [], notes: [] }
      : masksOf(request.masks, {
          cwd: where.cwd,
          project: where.project,
          userHome: home,
          shown: request.posture === 'L1' ? ['/'] : mounts.map((each) => each.source),
        })
  // On the bare host, git uses the user's own logins.
  const project = isBareHost ? undefined : where.project
  const remotes = remoteLogins({ project, mounts, masks: masking.masks, repositories: request.repositories })
  const forges = await openForges(
    {
      repositories: request.repositories,
      env: access.named,
      login: request.credentials?.mode !== 'none',
      remotes: remotes.logins,
    },
    host.logins,
  )
  const wishes = {
    model: request.model,
    args: words,
    baseUrl: endpoint?.baseUrl ?? access.wishes.baseUrl,
    credential: access.source,
    conversation,
    mcp: where.mcp ?? [],
    config: where.config ?? null,
    ...(request.withoutWebTools === undefined ? {} : { webTools: false as const }),
    instructions: request.brief && request.asIs !== true && !isBareHost ? cellInstructions : null,
    home,
    cwd: where.cwd,
  }
  const command = commandOf(request, adapter, wishes, installation)
  const servers = (where.mcp ?? []).map((each) => each.name)
  const sources = untrustedSources(request, adapter, { project: where.project, now: where.now, servers }, request.untrusted)
  const remedy = trifectaRemedy(request, adapter, sources)
  const registries = await presetFactsOf(request.egress, host)
  const egress = await egressOf(request, { adapter, endpoint, forges: forges.forges, registries })
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
      ...remotes.notes,
      ...(adapter.tried ? [] : [`the ${adapter.name} adapter was written from its documentation and has not been run with the real CLI.`]),
      ...masking.notes,
      ...aroundInspection(request),
      ...unreachedSecrets(egress, access.secrets),
    ],
    async forCell(place) {
      const given = await access.forCell()
      const forge = forges.forCell()
      const settings = await registrySettings(registries, {
        has: (name) => Object.hasOwn(given.env, name),
        placeholder: (name) => (request.secrets.some((each) => each.name === name) ? given.env[name] : undefined),
      })
      const masks = [...masking.masks, ...(place.masks ?? [])]
      const spec: CellSpec = {
        name: place.name,
        agent: { name: adapter.name, family: adapter.family, version: installation.version, model: request.model },
        command: command.argv,
        cwd: where.cwd,
        ...(where.project === undefined ? {} : { project: where.project }),
        mounts: [...mounts, ...given.mounts, ...(place.mounts ?? [])],
        files: settings.files,
        describesItself: request.brief,
        ...(masks.length === 0 ? {} : { masks }),
        home:
          place.home === null
            ? { kind: 'temporary' }
            : {
                kind: 'persistent',
                path: place.home,
                ...(place.othersInHome === undefined ? {} : { others: place.othersInHome }),
                ...(place.needsHome === true ? { isNeeded: true } : {}),
              },
        rights: place.rights ?? [
          ...inCell(given, request.credentials?.volume ?? null),
          ...variables({ ...given.env, ...forge.env }, request, host.env),
        ],
        homeFiles: [...command.homeFiles, ...given.homeFiles],
        env: { ...settings.env, ...command.env, ...given.env, ...forge.env },
        pathEntries: [...installation.pathEntries, ...(place.pathEntries ?? [])],
        egress,
        credentials: [...given.credentials, ...forge.credentials],
        gitConfig: forge.gitConfig,
        limits: request.limits,
        defaultLimits: adapter.name === 'command' || request.terminal || request.asIs === true ? {} : { silence: silenceMs },
        publish: request.publish,
        terminal: request.terminal,
        posture: request.posture,
        backend: request.backend,
        deps: request.deps,
        strictNames: request.strictNames,
        untrusted: untrustedContent(sources),
        trifecta: {
          ...(request.trifecta === undefined ? {} : { rule: request.trifecta }),
          remedy: remedy === null ? null : (where.rerun?.(remedy) ?? remedy.inFile),
        },
        degraded: request.degraded,
      }
      return { notes: [...given.notes, ...settings.notes], end: given.end, spec: isBareHost ? onBareHost(spec) : spec }
    },
  }
}

/** Returns the command. With `asIs`, the variables and files are the adapter's, and the command line is the caller's. */
function commandOf(
  { terminal, asIs, args }: RunRequest,
  adapter: AgentAdapter,
  wishes: AgentWishes,
  installation: Installation,
): AgentCommand {
  if (asIs === true && adapter.takesCommand === true)
    throw new PaddockError('BAD_INPUT', `--as-is: ${adapter.name} has no program of its own.`, { hint: 'Leave --as-is out' })
  const command = terminal ? adapter.interactive(wishes, installation) : adapter.headless(wishes, installation)
  if (asIs !== true) return command
  const options = [...(adapter.endpointOptions?.(wishes) ?? []), ...webToolOptions(adapter, wishes)]
  return { ...command, argv: [installation.program, ...options, ...args] }
}

/** Returns the agent's access. Throws for a credential that is missing or has expired. */
async function goodAccess(request: RunRequest, adapter: AgentAdapter, where: RunPlace, host: RunHost) {
  const { credentials } = request
  const way = credentials ?? (where.mayShowLogin ? null : { mode: 'placeholder' as const, volume: null })
  const access = await accessOf({ ...request, credentials: way }, adapter, host)
  if (where.needsCredential) refuseWithout(request, adapter, access, where.place)
  const loginNotes = await checkLogin(adapter, access.source, access.wishes, where, host)
  return { access, loginNotes: where.needsCredential ? loginNotes : [...loginNotes, ...noteWithout(request, adapter, access)] }
}

/** Returns the real credentials in the cell, as rights. */
function inCell({ inCell: secrets, mounts }: CellCredentials, volume: string | null): readonly string[] {
  const files = mounts.map(({ source, target = source }) => `${target}${volume === null ? '' : ` of ${volume}`}`)
  return [...secrets.map(({ name }) => name), ...files].map((each) => `in the cell: ${each}`)
}

/** Returns the variables as rights. Another value of the user's is another right; placeholders differ in every cell. */
function variables(env: Readonly<Record<string, string>>, { env: own }: RunRequest, hostEnv: NodeJS.ProcessEnv): readonly string[] {
  const real = new Map(
    own.map(({ value: text }) => {
      const [name = '', ...value] = text.split('=')
      return [name, value.length === 0 ? hostEnv[name] : value.join('=')]
    }),
  )
  return Object.entries(env).map(([name, value]) => `env ${name}${real.get(name) === value ? ` ${mark(value)}` : ''}`)
}

/** Returns a short text for a value, which does not contain it. */
function mark(value: string): string {
  return createHash('sha256').update(`right ${value}`).digest('hex').slice(0, 16)
}

async function installationOf(adapter: AgentAdapter, { place, program = null }: RunPlace, host: RunHost): Promise<Installation> {
  const installation = await host.installation(adapter, program)
  if (installation !== null) return installation
  if (program !== null)
    throw new PaddockError('AGENT_NOT_INSTALLED', `${place}${program} is not a program that can be run.`, {
      hint: `Name the file of the program, for example the result of: which ${adapter.program}`,
    })
  throw new PaddockError('AGENT_NOT_INSTALLED', `${place}${adapter.name} is not installed on this machine.`, { hint: adapter.installHint })
}

/** Returns a note if the cell can bypass inspection, because under `public` and `open` the gateway sees only connections by name. */
function aroundInspection({ egress, repositories }: RunRequest): readonly string[] {
  const { policy, inspect, rules, ruleSets } = egress
  if (policy.value !== 'public' && policy.value !== 'open') return []
  if (inspect.length + rules.length + ruleSets.length + repositories.length === 0) return []
  return [
    `under --egress ${policy.value} a cell can bypass inspection and rules by connecting to a host’s address; only credentials stay protected. --egress allowlist has no such bypass.`,
  ]
}

async function registrySettings(facts: PresetFacts, variables: CellVariables): Promise<CellRegistries> {
  if (Object.keys(facts).length === 0) return { files: [], env: {}, notes: [] }
  const { registriesInCell } = await import('./registries.ts')
  return registriesInCell(facts, variables)
}
