import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter } from '../agents/adapter.ts'
import { type CredentialMode, cellCredentials, credentialModes, type ModelEndpoint, modelEndpoint } from '../agents/cell-credentials.ts'
import { searchDirectories } from '../agents/locate.ts'
import { adapterNames, findAdapter } from '../agents/registry.ts'
import type { CellSpec, MountWish } from '../cell/spec.ts'
import { openForges } from '../credentials/forge-access.ts'
import { parseRepository } from '../egress/forge/repository.ts'
import { PaddockError } from '../errors.ts'
import type { Context } from './context.ts'
import { projectAround } from './project.ts'
import { publishPorts } from './publish.ts'
import { count, duration, processors, size } from './quantities.ts'
import { egressOf, withEndpoint } from './run-egress.ts'

/** The options of `paddock run`, as commander gives them. */
export interface RunOptions {
  readonly prompt?: string
  readonly promptFile?: string
  readonly model?: string
  readonly baseUrl?: string
  readonly egress: string
  readonly allow: readonly string[]
  readonly ask: readonly string[]
  readonly block: readonly string[]
  readonly preset: readonly string[]
  readonly inspect: readonly string[]
  readonly rule: readonly string[]
  readonly rules: readonly string[]
  /** Hosts, rules and sets of the project's file: they come after all of the user's. */
  readonly projectAllow?: readonly string[]
  readonly projectAsk?: readonly string[]
  readonly projectRule?: readonly string[]
  readonly projectRules?: readonly string[]
  readonly ro: readonly string[]
  readonly rw: readonly string[]
  readonly env: readonly string[]
  /** `HOST/OWNER/NAME[=read|write]` */
  readonly repo: readonly string[]
  readonly login: boolean
  readonly credentials?: string
  readonly timeout?: string
  readonly silence?: string
  readonly memory?: string
  readonly pids?: string
  readonly cpus?: string
  readonly fileSize?: string
  readonly disk?: string
  readonly publish: readonly string[]
  readonly copy?: boolean
  readonly copyIgnored?: boolean
  readonly projectFile: boolean
  readonly dryRun?: boolean
  readonly report?: string
  readonly allowDegraded: readonly string[]
  readonly nestedSandbox?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

const degradable = ['memory', 'cpus', 'run-later', 'nested-sandbox']

export interface RunParts {
  readonly spec: CellSpec
  /** Null for a bare command. */
  readonly agent: AgentAdapter | null
  readonly notes: readonly string[]
  /** To be called when the cell is gone. */
  end(): Promise<void>
}

/** What the words and options of `paddock run` come to.  */
export async function runSpec(
  words: readonly string[],
  isCommand: boolean,
  options: RunOptions,
  terminal: boolean,
  context: Context,
): Promise<RunParts> {
  for (const each of options.allowDegraded) {
    if (!degradable.includes(each))
      throw new PaddockError('BAD_INPUT', `--allow-degraded ${each}: there is no such guarantee.`, {
        hint: `The names are ${degradable.join(', ')}.`,
      })
  }
  const cwd = realpathSync(process.cwd())
  const project = projectAround(cwd, context.paths.userHome)
  let env: Readonly<Record<string, string>> = namedVariables(options.env, context)
  let credentials: CellSpec['credentials'] = []
  let endpoint: ModelEndpoint | null = null
  let end = async (): Promise<void> => {}
  const mode = modeOf(options.credentials)
  const repositories = options.repo.map((each) => parseRepository(each))
  const forges = await openForges({ repositories, env, login: mode !== 'none' }, context.logins)
  const forge = forges.forCell()
  const notes: string[] = [...forges.notes]
  const agent = isCommand ? null : findRunnable(words[0] ?? '')
  const home = context.paths.userHome
  let command = words
  let agentEnv: Readonly<Record<string, string>> = {}
  let homeFiles: CellSpec['homeFiles'] = []
  const mounts: MountWish[] = [...options.ro.map((each) => mount(each, 'ro')), ...options.rw.map((each) => mount(each, 'rw'))]
  let pathEntries: readonly string[] = []
  if (agent !== null) {
    const installation = await agent.locate(searchDirectories(context.env['PATH'] ?? '', home))
    if (installation === null)
      throw new PaddockError('AGENT_NOT_INSTALLED', `${agent.name} is not installed on this machine.`, { hint: agent.installHint })
    const wanted = { mode, login: options.login, env, baseUrl: options.baseUrl ?? null, home }
    const given = await cellCredentials(agent, wanted, context.logins)
    endpoint = modelEndpoint(agent, given.source, wanted)
    const credential = given.source
    end = given.end
    env = given.env
    credentials = given.credentials
    notes.push(...given.notes)
    mounts.push(...given.mounts)
    if (credential === null && agent.credentials(home).length > 0 && options.baseUrl === undefined) {
      const variable = agent.credentials(home).find((each) => each.kind === 'env')?.name
      notes.push(`${agent.name} has no credential in this cell; name one with --env ${variable ?? 'NAME'}, or log in inside.`)
    }
    const wishes = {
      model: options.model ?? null,
      args: words.slice(1),
      baseUrl: endpoint?.baseUrl ?? wanted.baseUrl,
      credential,
      home,
      cwd,
    }
    const made = terminal ? agent.interactive(wishes, installation) : agent.headless(wishes, installation)
    command = made.argv
    agentEnv = made.env
    homeFiles = [...made.homeFiles, ...given.homeFiles]
    mounts.push(...installation.mounts.map((each) => ({ ...each, reason: 'agent' as const })))
    pathEntries = installation.pathEntries
    if (!agent.tried) notes.push(`the ${agent.name} adapter was written from its documentation and has not been run with the real CLI.`)
  }
  const homePath = privateHome(project, agent?.name ?? 'command', context)
  const spec: CellSpec = {
    name: `run ${agent?.name ?? path.basename(words[0] ?? '')}`,
    command,
    cwd,
    project,
    mounts,
    files: [],
    home: { kind: 'persistent', path: homePath },
    homeFiles,
    env: { ...agentEnv, ...env, ...forge.env },
    pathEntries,
    egress: withEndpoint(await egressOf(options, endpoint === null ? agent : null, forges.forges, context), endpoint),
    credentials: [...credentials, ...forge.credentials],
    gitConfig: forge.gitConfig,
    limits: {
      ...(options.timeout === undefined ? {} : { wallMs: duration('--timeout', options.timeout) }),
      ...(options.silence === undefined
        ? agent !== null && !terminal
          ? { silenceMs: 30 * 60_000 }
          : {}
        : { silenceMs: duration('--silence', options.silence) }),
      ...(options.memory === undefined ? {} : { memoryBytes: size('--memory', options.memory) }),
      ...(options.pids === undefined ? {} : { processes: count('--pids', options.pids) }),
      ...(options.cpus === undefined ? {} : { cpus: processors('--cpus', options.cpus) }),
      ...(options.fileSize === undefined ? {} : { fileBytes: size('--file-size', options.fileSize) }),
      ...(options.disk === undefined ? {} : { diskBytes: size('--disk', options.disk) }),
    },
    publish: options.publish.map((each) => publishPorts.parse(each).inside),
    terminal,
    degraded: [...new Set([...options.allowDegraded, ...(options.nestedSandbox === true ? ['nested-sandbox'] : [])])],
  }
  return { spec, agent, notes, end }
}

/** The prompt of a run without a terminal; null where none was given. */
export function promptOf(options: RunOptions): string | null {
  if (options.prompt !== undefined && options.promptFile !== undefined)
    throw new PaddockError('BAD_INPUT', '--prompt and --prompt-file cannot both be given.', { hint: 'Leave one out.' })
  if (options.promptFile === undefined) return options.prompt ?? null
  try {
    return readFileSync(options.promptFile, 'utf8')
  } catch (cause) {
    throw new PaddockError('BAD_INPUT', `--prompt-file ${options.promptFile} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, {
      hint: 'Give the path of a text file.',
      cause,
    })
  }
}

function findRunnable(name: string): AgentAdapter {
  if (name === 'command' || !adapterNames.includes(name)) {
    const known = adapterNames.filter((each) => each !== 'command')
    if (name === 'command') throw new PaddockError('BAD_INPUT', 'To run a command, put it behind --.', { hint: 'paddock run -- make test' })
    try {
      findAdapter(name)
    } catch (error) {
      const hint = error instanceof PaddockError && error.hint?.startsWith('did you mean') ? `${error.hint.split('?')[0]}? ` : ''
      throw new PaddockError('BAD_INPUT', `There is no agent "${name}".`, {
        hint: `${hint}The agents are ${known.join(', ')}. To run a command: paddock run -- ${name}`,
      })
    }
  }
  return findAdapter(name)
}

/** One private home for each pair of project and agent, so that a poisoned conversation stays where it is. */
function privateHome(project: string, agent: string, context: Context): string {
  const name = `${path.basename(project).replace(/[^A-Za-z0-9._-]/g, '-')}-${createHash('sha256').update(project).digest('hex').slice(0, 12)}`
  return path.join(context.paths.state, 'homes', name, agent)
}

function mount(file: string, access: 'ro' | 'rw'): MountWish {
  try {
    const source = realpathSync(path.resolve(file))
    // What the cell may write to is protected like the project, so it stands at its own path.
    return { source, target: access === 'rw' ? source : path.resolve(file), access }
  } catch (cause) {
    throw new PaddockError('BAD_INPUT', `--${access} ${file}: there is nothing at that path.`, {
      hint: 'Give an existing file or directory.',
      cause,
    })
  }
}

function namedVariables(named: readonly string[], context: Context): Record<string, string> {
  const env: Record<string, string> = {}
  for (const each of named) {
    const equals = each.indexOf('=')
    const name = equals < 0 ? each : each.slice(0, equals)
    const value = equals < 0 ? context.env[name] : each.slice(equals + 1)
    if (value === undefined)
      throw new PaddockError('BAD_INPUT', `--env ${name}: it is not set in your environment.`, {
        hint: `export ${name}=… first, or give --env ${name}=VALUE.`,
      })
    env[name] = value
  }
  return env
}

function modeOf(text: string | undefined): CredentialMode | null {
  if (text === undefined) return null
  const found = credentialModes.find((each) => each === text)
  if (found !== undefined) return found
  throw new PaddockError('BAD_INPUT', `--credentials ${text}: there is no such way.`, {
    hint: `The ways are ${credentialModes.join(', ')}.`,
  })
}
