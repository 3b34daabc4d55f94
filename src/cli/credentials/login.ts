import type { AgentAdapter } from '../../adapters/adapter.ts'
import { loginFormats, searchDirectories } from '../../adapters/facts.ts'
import { adapters } from '../../adapters/registry.ts'
import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import { disposeLogin, type HostLogin, nameOfLogin } from '../../credentials/login.ts'
import { adoptLogin, workingHome } from '../../credentials/volume/adopt.ts'
import { defaultVolume } from '../../credentials/volume/files.ts'
import { holdVolume } from '../../credentials/volume/hold.ts'
import { readVolume, type Volume, volumeOf } from '../../credentials/volume/volume.ts'
import { exitCodes, messageOf, PaddockError } from '../../errors.ts'
import { removeTree } from '../../files/remove-tree.ts'
import type { Host } from '../../host.ts'
import { nearest } from '../../nearest.ts'
import { formatDuration } from '../../quantities.ts'
import { printable } from '../../text.ts'
import { openCliHost } from '../open-host.ts'
import { attachPipes, attachTerminal, callersInput } from '../run/attach.ts'
import { publishPorts } from '../run/publish.ts'
import { printJson, say } from '../terminal/output.ts'
import { OutputGate } from '../terminal/output-gate.ts'

export interface LoginOptions {
  readonly volume: string
  readonly json?: boolean
}

type LoginWay = NonNullable<AgentAdapter['login']>

/** A login in a browser may take its time, but not for ever. */
const wallMs = 30 * 60_000
const lockPatienceMs = 1_000

/**
 * `paddock login`: the CLI's own login in a cell that reaches the agent's hosts and sees nothing of this machine. It works in a home of its
 * own; what it wrote down as its login is put into the volume at the end, in one step. 1 where there is no new login.
 */
export async function loginCommand(name: string, args: readonly string[], options: LoginOptions): Promise<number> {
  const { adapter, way } = agentOf(name)
  const terminal = options.json !== true && process.stdin.isTTY === true && process.stdout.isTTY === true
  if (way.needsTerminal === true && !terminal)
    throw new PaddockError('BAD_INPUT', `The login of ${name} works in a terminal alone.`, { hint: 'Start it in one, without --json.' })
  const host = openCliHost()
  try {
    const volume = volumeOf(await loginFormats(), host.paths.state, adapter.name, options.volume)
    using _held = await holdVolume(volume, `paddock login ${adapter.name}`, lockPatienceMs)
    const work = await workingHome(volume)
    try {
      const ports = way.withoutCallback !== undefined && args.includes(way.withoutCallback) ? [] : way.callbackPorts
      const spec = await specOf(adapter, way, ports, args, work, terminal, host)
      for (const each of hints(adapter, way, ports)) say(each)
      const report = await runLogin(spec, ports, terminal, options, host)
      // What was broken off may look like a login; the old one stays.
      const cancelled = report.ending.kind === 'cancelled'
      const outcome = cancelled ? 'cancelled' : await adoptLogin(volume, work)
      host.audit.write({ kind: 'credential.login', cell: report.cell, data: { agent: adapter.name, volume: volume.name, outcome } })
      return await tell(volume, outcome, report, options)
    } finally {
      await removeTree(work)
    }
  } finally {
    host[Symbol.dispose]()
  }
}

function agentOf(name: string): { readonly adapter: AgentAdapter; readonly way: LoginWay } {
  const adapter = adapters.find((each) => each.name === name)
  if (adapter?.login !== undefined) return { adapter, way: adapter.login }
  const names = adapters.filter((each) => each.login !== undefined).map((each) => each.name)
  const near = nearest(name, names)
  throw new PaddockError('BAD_INPUT', `There is no login of ${name}.`, {
    hint: `${near === null ? '' : `Did you mean ${near}? `}The agents are ${names.join(', ')}.`,
  })
}

async function specOf(
  adapter: AgentAdapter,
  { args: words, env = {} }: LoginWay,
  ports: readonly number[],
  more: readonly string[],
  work: string,
  terminal: boolean,
  host: Host,
): Promise<CellSpec> {
  const home = host.paths.userHome
  const installation = await adapter.locate(searchDirectories(host.env['PATH'] ?? '', home))
  if (installation === null)
    throw new PaddockError('AGENT_NOT_INSTALLED', `${adapter.name} is not installed on this machine.`, { hint: adapter.installHint })
  const credential = adapter.credentials(home).find((each) => each.kind === 'snapshot') ?? null
  const made = adapter.interactive({ model: null, args: [], baseUrl: null, credential, home, cwd: home }, installation)
  return {
    name: `login ${adapter.name}`,
    command: [installation.program, ...words, ...more],
    cwd: home,
    mounts: installation.mounts.map((each) => ({ ...each, reason: 'agent' as const })),
    files: [],
    home: { kind: 'persistent', path: work },
    homeFiles: made.homeFiles,
    env: { ...made.env, ...env },
    pathEntries: installation.pathEntries,
    egress: { mode: 'allowlist', entries: adapter.hosts },
    limits: { timeout: wallMs },
    publish: ports,
    terminal,
    degraded: [],
  }
}

function hints(adapter: AgentAdapter, { how }: LoginWay, callbackPorts: readonly number[]): readonly string[] {
  const ports = callbackPorts.map((each) => `-L ${each}:127.0.0.1:${each}`).join(' ')
  return [
    `${adapter.name}: ${how}`,
    callbackPorts.length === 0
      ? 'open the address that it prints in a browser, on any machine'
      : `open the address that it prints in a browser on this machine; on another one after: ssh ${ports} THIS-MACHINE`,
    ...(adapter.tried ? [] : [`the ${adapter.name} adapter was written from its documentation and has not been run with the real CLI.`]),
  ]
}

async function runLogin(
  spec: CellSpec,
  ports: readonly number[],
  terminal: boolean,
  { json }: LoginOptions,
  host: Host,
): Promise<CellReport> {
  const stdin = terminal ? 'pipe' : await callersInput()
  const size = { columns: process.stdout.columns ?? 80, rows: process.stdout.rows ?? 24 }
  const cell = await host.startCell(spec, { stdin, size })
  const detach = terminal
    ? attachTerminal(cell)
    : attachPipes(cell, new OutputGate(), { out: json === true ? process.stderr : process.stdout, firstIs: 'end' })
  const unpublish = await publishPorts.open(ports.map(String), cell, () => undefined).catch((error: unknown) => messageOf(error))
  const report = await cell.done.finally(detach)
  if (typeof unpublish === 'string')
    throw new PaddockError('CELL_FAILED', `${unpublish} A browser would come back to it after the login.`, {
      hint: 'end what uses it (ss -ltnp shows it), or log in with a code where the agent has that',
    })
  unpublish()
  return report
}

type Outcome = 'taken' | 'unchanged' | 'none' | 'cancelled'

async function tell(volume: Volume, outcome: Outcome, { ending }: CellReport, { json }: LoginOptions): Promise<number> {
  const logins = await readVolume(volume).catch((): readonly HostLogin[] => [])
  const named = `the volume "${volume.name}" of ${volume.agent}`
  const lines = logins.map((each) => ({
    login: nameOfLogin(each),
    kind: each.kind,
    account: each.account,
    expiresAt: each.expiresAt?.toISOString() ?? null,
    renewable: each.refresh !== null,
  }))
  for (const each of logins) disposeLogin(each)
  if (json === true) printJson({ schemaVersion: 1, agent: volume.agent, volume: volume.name, outcome, ending: ending.kind, logins: lines })
  else {
    const what = {
      taken: 'a new login is in',
      unchanged: 'no new login; as it was:',
      none: 'no new login; as it was:',
      cancelled: 'broken off; as it was:',
    }
    say(`${what[outcome]} ${named}${lines.length === 0 ? ', without any login' : ''}`)
    for (const each of lines) {
      const end = each.renewable ? 'renews itself' : each.expiresAt === null ? 'no end known' : endsIn(each.expiresAt)
      say(printable(`${each.login} · ${each.kind} · ${each.account ?? 'account not told'} · ${end}`))
    }
    if (outcome === 'taken') say(useOf(volume))
  }
  if (outcome === 'taken') return exitCodes.done
  return outcome === 'cancelled' ? exitCodes.cancelled : exitCodes.no
}

function useOf({ agent, name }: Volume): string {
  return name === defaultVolume
    ? `cells of ${agent} get stand-ins for it where this machine has no login of its own`
    : `cells get it with: paddock run --credentials volume:${name} ${agent}`
}

function endsIn(expiresAt: string): string {
  const left = Date.parse(expiresAt) - Date.now()
  return left <= 0 ? 'has ended' : `ends in ${formatDuration(left)}`
}
