import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { AgentAdapter, CredentialSource } from '../agents/adapter.ts'
import { searchDirectories } from '../agents/locate.ts'
import { adapterNames, adapters, findAdapter } from '../agents/registry.ts'
import type { CellSpec, MountWish } from '../cell/spec.ts'
import { parseAllow, parseAsk } from '../egress/allow.ts'
import { parseBlock } from '../egress/block.ts'
import { withInspection } from '../egress/inspect/inspected-entries.ts'
import type { EgressPolicy } from '../egress/policy.ts'
import { PaddockError } from '../errors.ts'
import type { Context } from './context.ts'
import { masksOf } from './masking.ts'
import { privateEgress } from './private-egress.ts'
import { projectAround } from './project.ts'
import { publishPorts } from './publish.ts'
import { count, duration, processors, size } from './quantities.ts'

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
  /** What appears empty: of the command line, and of the configuration, where that counts only for what is there. */
  readonly mask?: readonly string[]
  readonly configuredMask?: readonly string[]
  /** Reaches what the agent itself needs and nothing else. */
  readonly private?: boolean
  readonly env: readonly string[]
  readonly login: boolean
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

/** What the words and options of `paddock run` come to. `agent` is null for a bare command. */
export async function runSpec(
  words: readonly string[],
  isCommand: boolean,
  options: RunOptions,
  terminal: boolean,
  context: Context,
): Promise<{ readonly spec: CellSpec; readonly agent: AgentAdapter | null; readonly notes: readonly string[] }> {
  for (const each of options.allowDegraded) {
    if (!degradable.includes(each))
      throw new PaddockError('BAD_INPUT', `--allow-degraded ${each}: there is no such guarantee.`, {
        hint: `The names are ${degradable.join(', ')}.`,
      })
  }
  const cwd = realpathSync(process.cwd())
  const project = projectAround(cwd, context.paths.userHome)
  const env = namedVariables(options.env, context)
  const notes: string[] = []
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
    const credential = credentialOf(agent, env, options, home)
    if (credential === null && agent.credentials(home).length > 0 && options.baseUrl === undefined) {
      const variable = agent.credentials(home).find((each) => each.kind === 'env')?.name
      notes.push(`${agent.name} has no credential in this cell; name one with --env ${variable ?? 'NAME'}, or log in inside.`)
    }
    if (credential?.kind === 'snapshot')
      mounts.push({ source: credential.hostPath, target: path.join(home, credential.homePath), access: 'ro' })
    const wishes = { model: options.model ?? null, args: words.slice(1), baseUrl: options.baseUrl ?? null, credential, home, cwd }
    const made = terminal ? agent.interactive(wishes, installation) : agent.headless(wishes, installation)
    command = made.argv
    agentEnv = made.env
    homeFiles = made.homeFiles
    mounts.push(...installation.mounts.map((each) => ({ ...each, reason: 'agent' as const })))
    pathEntries = installation.pathEntries
    if (!agent.tried) notes.push(`the ${agent.name} adapter was written from its documentation and has not been run with the real CLI.`)
  }
  const masking = masksOf(options, { cwd, project, userHome: home, mounts })
  notes.push(...masking.notes)
  const homePath = privateHome(project, agent?.name ?? 'command', context)
  const spec: CellSpec = {
    name: `run ${agent?.name ?? path.basename(words[0] ?? '')}`,
    command,
    cwd,
    project,
    mounts,
    files: [],
    ...(masking.masks.length === 0 ? {} : { masks: masking.masks }),
    home: { kind: 'persistent', path: homePath },
    homeFiles,
    env: { ...agentEnv, ...env },
    pathEntries,
    egress: await egressOf(options, agent, context),
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
  return { spec, agent, notes }
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

function credentialOf(
  agent: AgentAdapter,
  env: Readonly<Record<string, string>>,
  options: RunOptions,
  home: string,
): CredentialSource | null {
  const found = agent
    .credentials(home)
    .find((each) => (each.kind === 'env' ? Object.hasOwn(env, each.name) : options.login && existsSync(each.hostPath)))
  return found ?? null
}

async function egressOf(options: RunOptions, agent: AgentAdapter | null, context: Context): Promise<EgressPolicy> {
  if (options.private === true)
    return privateEgress(options, (named) => (options.baseUrl === undefined ? (agent?.hosts ?? []) : baseUrlEntry(options.baseUrl, named)))
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
        return { mode: 'off' }
      }
      return options.egress === 'public'
        ? { mode: 'public', entries: withInspection([], options), blocked: options.block.map((each) => parseBlock(each)) }
        : { mode: 'open', entries: withInspection([], options) }
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
  if (options.baseUrl !== undefined) entries.push(...baseUrlEntry(options.baseUrl, entries))
  if (options.preset.length > 0) {
    const { presetEntriesOf } = await import('./presets.ts')
    entries.push(...(await presetEntriesOf(options.preset, adapters, context)))
  }
  return { mode: 'allowlist', entries: withInspection(entries, options) }
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
