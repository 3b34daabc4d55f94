import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter, AgentCommand } from '../../adapters/adapter.ts'
import { searchDirectories } from '../../adapters/locate.ts'
import { adapterNames, findAdapter } from '../../adapters/registry.ts'
import type { CellSpec, MountWish } from '../../cell/plan/spec.ts'
import { openForges } from '../../credentials/forge-access.ts'
import { parseRepository } from '../../egress/forge/repository.ts'
import { PaddockError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { unreachedSecrets } from '../../run/unreached-secrets.ts'
import { projectAround } from '../project.ts'
import { count, duration, processors, size } from '../quantities.ts'
import { masksOf } from './masking.ts'
import { publishPorts } from './publish.ts'
import { runCredentials } from './run-credentials.ts'
import { type EgressOptions, egressOf, withEndpoint } from './run-egress.ts'

/** The options of `paddock run`, as commander gives them. */
export interface RunOptions extends EgressOptions {
  readonly prompt?: string
  readonly promptFile?: string
  readonly model?: string
  readonly ro: readonly string[]
  readonly rw: readonly string[]
  /** What appears empty: of the command line, and of the configuration, where that counts only for what is there. */
  readonly mask?: readonly string[]
  readonly configuredMask?: readonly string[]
  readonly env: readonly string[]
  /** `HOST/OWNER/NAME[=read|write]` */
  readonly repo: readonly string[]
  readonly login: boolean
  readonly secret: readonly string[]
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
  host: Host,
): Promise<RunParts> {
  for (const each of options.allowDegraded) {
    if (!degradable.includes(each))
      throw new PaddockError('BAD_INPUT', `--allow-degraded ${each}: there is no such guarantee.`, {
        hint: `The names are ${degradable.join(', ')}.`,
      })
  }
  const cwd = realpathSync(process.cwd())
  const project = projectAround(cwd, host.paths.userHome)
  const agent = isCommand ? null : findRunnable(words[0] ?? '')
  const home = host.paths.userHome
  const installation = await agent?.locate(searchDirectories(host.env['PATH'] ?? '', home))
  if (agent !== null && installation === null)
    throw new PaddockError('AGENT_NOT_INSTALLED', `${agent.name} is not installed on this machine.`, { hint: agent.installHint })
  const env = namedVariables(options.env, host)
  const given = await runCredentials(agent, options, env, host)
  const repositories = options.repo.map((each) => parseRepository(each))
  const forges = await openForges({ repositories, env, login: options.credentials !== 'none' }, host.logins)
  const forge = forges.forCell()
  const notes = [...forges.notes, ...given.notes]
  const wished = [...options.ro.map((each) => mount(each, 'ro')), ...options.rw.map((each) => mount(each, 'rw'))]
  const mounts: MountWish[] = [...wished, ...given.mounts]
  let made: AgentCommand = { argv: words, env: {}, homeFiles: [] }
  if (agent !== null && installation != null) {
    const baseUrl = given.endpoint?.baseUrl ?? options.baseUrl ?? null
    const wishes = { model: options.model ?? null, args: words.slice(1), baseUrl, credential: given.source, home, cwd }
    made = terminal ? agent.interactive(wishes, installation) : agent.headless(wishes, installation)
    mounts.push(...installation.mounts.map((each) => ({ ...each, reason: 'agent' as const })))
    if (!agent.tried) notes.push(`the ${agent.name} adapter was written from its documentation and has not been run with the real CLI.`)
  }
  const masking = masksOf(options, { cwd, project, userHome: home, mounts })
  notes.push(...masking.notes, ...roundRules(options))
  const homePath = privateHome(project, agent?.name ?? 'command', host)
  const spec: CellSpec = {
    name: `run ${agent?.name ?? path.basename(words[0] ?? '')}`,
    command: made.argv,
    cwd,
    project,
    mounts,
    files: [],
    ...(masking.masks.length === 0 ? {} : { masks: masking.masks }),
    home: { kind: 'persistent', path: homePath },
    homeFiles: [...made.homeFiles, ...given.homeFiles],
    env: { ...made.env, ...given.env, ...forge.env },
    pathEntries: installation?.pathEntries ?? [],
    egress: withEndpoint(await egressOf(options, given.endpoint === null ? agent : null, forges.forges, host), given.endpoint, options),
    credentials: [...given.credentials, ...forge.credentials],
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
  const secrets = new Set(options.secret.map((each) => each.split('=')[0]))
  notes.push(
    ...unreachedSecrets(
      spec.egress,
      given.credentials.filter((each) => secrets.has(each.name)),
    ),
  )
  return { spec, agent, notes, end: given.end }
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
function privateHome(project: string, agent: string, host: Host): string {
  const name = `${path.basename(project).replace(/[^A-Za-z0-9._-]/g, '-')}-${createHash('sha256').update(project).digest('hex').slice(0, 12)}`
  return path.join(host.paths.state, 'homes', name, agent)
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

function namedVariables(named: readonly string[], host: Host): Record<string, string> {
  const env: Record<string, string> = {}
  for (const each of named) {
    const equals = each.indexOf('=')
    const name = equals < 0 ? each : each.slice(0, equals)
    const value = equals < 0 ? host.env[name] : each.slice(equals + 1)
    if (value === undefined)
      throw new PaddockError('BAD_INPUT', `--env ${name}: it is not set in your environment.`, {
        hint: `export ${name}=… first, or give --env ${name}=VALUE.`,
      })
    env[name] = value
  }
  return env
}

/** Under a policy with a way out of its own, the gateway has only what asks for a name. */
function roundRules({ egress, inspect, rule, rules, repo }: RunOptions): readonly string[] {
  if ((egress !== 'public' && egress !== 'open') || inspect.length + rule.length + rules.length + repo.length === 0) return []
  return [
    `under --egress ${egress} a cell can go round inspection and rules by connecting to a host’s address; only credentials stay behind them. --egress allowlist has no such way.`,
  ]
}
