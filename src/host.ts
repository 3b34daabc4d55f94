import path from 'node:path'
import type { AgentAdapter, Installation } from './adapters/adapter.ts'
import { agentsOnMachine, loginFormats, searchDirectories } from './adapters/agent-facts.ts'
import { locateFile } from './adapters/locate.ts'
import { type AuditLog, openAuditLog } from './audit/audit-log.ts'
import type { AuditSink } from './audit/event.ts'
import { type BackendFacts, type Backends, withoutBareHost } from './base/cell-place.ts'
import { type Paths, resolvePaths } from './base/paths.ts'
import type { Backend } from './cell/backend.ts'
import { machineBackends } from './cell/backends/machine-backends.ts'
import type { StartCell } from './cell/cell.ts'
import type { CellServer } from './cell/places/cell-server.ts'
import type { Transport } from './cell/places/eager-duplex.ts'
import { inspectHostView } from './cell/plan/host-view.ts'
import { inspectMachine, type MachineFacts } from './cell/plan/machine-facts.ts'
import type { CellPlan } from './cell/plan/plan.ts'
import { programsInCell } from './cell/plan/programs-in-cell.ts'
import type { CellSpec } from './cell/plan/spec.ts'
import type { ChangeSummary } from './cell/report.ts'
import { type CellRecord, type CellRegistry, openRegistry } from './cell/run/cell-registry.ts'
import { cellLauncher, type LaunchDeps, placed } from './cell/run/launch.ts'
import { keptOutput } from './cell/run/output-tail.ts'
import { planOnly } from './cell/run/plan-only.ts'
import { runningCells, stopRunning } from './cell/run/running.ts'
import { deadCells, inertPathsIn, sweep } from './cell/run/sweep-cells.ts'
import { homesIn, resetHome } from './cell/trees/homes/reset-home.ts'
import { type NewQuarantine, quarantineNew } from './cell/trees/quarantine-new.ts'
import { configuredTrifecta } from './config/base-trifecta.ts'
import type { SecretKeeper } from './credentials/secret-keeper.ts'
import type { HostLogins, StoredLogins } from './credentials/stored-logins.ts'
import type { Approver } from './egress/approvals/approval.ts'
import type { ApprovalsOptions } from './egress/approvals/approver.ts'
import { dnsResolver, hostResolver } from './egress/dns/resolver.ts'
import type { OnEgressNotice } from './egress/notice.ts'
import type { PresetFacts } from './egress/policy/presets.ts'
import type { RegistryTool } from './egress/policy/registry-settings.ts'
import { wayOut } from './egress/upstream/way-out.ts'
import type { Elsewhere, ElsewhereOptions } from './remotes/elsewhere.ts'
import type { Secret } from './secrets/secret.ts'
import { hostProgram } from './system/host-program.ts'
import { telemetry } from './telemetry/current-telemetry.ts'

export interface HostOptions {
  readonly env: NodeJS.ProcessEnv
  /** Shows one line to the user. */
  readonly notice: (line: string) => void
  /** Asks for the passphrase of the vault; absent: a locked vault stays locked. */
  readonly askPassphrase?: () => Promise<Secret>
  /** The way questions of cells reach the user immediately; absent: they are answered with `paddock approvals`. */
  readonly asking?: () => Promise<Pick<ApprovalsOptions, 'terminal' | 'notice'>>
  readonly onPlan?: (plan: CellPlan) => void
  /** Asks in the terminal whether a cell with all three parts of the lethal trifecta starts; absent: nobody can be asked. */
  readonly askStart?: (question: string) => Promise<boolean>
  /** Called with what the user should know at once about the network of a cell. */
  readonly onNotice?: OnEgressNotice
  /** Called with the findings in the trees of a cell whose Paddock was killed, with full paths. */
  readonly onSwept?: (changes: ChangeSummary) => void
  /** The command that cleans up after killed cells (`LaunchDeps`). */
  readonly survivor?: readonly string[]
}

/**
 * Replacements in the cells of probes: name resolution, internet connections, root certificates, approvals, another user, and a second log.
 */
export type CellMeans = Partial<Pick<LaunchDeps, 'resolver' | 'connect' | 'extraRoots' | 'approve' | 'audit' | 'machine' | 'onPlan'>>

/** This machine, as every command uses it. `openHost` makes it once per process. */
export interface Host extends Disposable {
  readonly env: NodeJS.ProcessEnv
  readonly paths: Paths
  readonly machine: MachineFacts
  /** The backends that build the cells here. `backendsOfRun` also has the bare host. */
  readonly backends: Backends<Pick<Backend, keyof BackendFacts | 'caution' | 'look'>>
  readonly backendsOfRun: Backends
  readonly audit: AuditLog
  /** The logins that agents' own CLIs have stored here. */
  readonly logins: StoredLogins
  /** The function that reads secrets from the vault and other sources. */
  readonly secrets: SecretKeeper
  /** Answers requests of cells. */
  readonly approvals: Approver
  /** Reads the configuration of these tools, and returns the facts that presets need. */
  presets(tools: readonly RegistryTool[]): Promise<PresetFacts>
  /** Returns the location of an agent's program, or of this one instead; null: the program is not installed. */
  installation(adapter: AgentAdapter, program?: string | null): Promise<Installation | null>
  readonly startCell: StartCell
  /** Returns a function that returns true for a program that such a cell has, by name or by absolute path. */
  programs(spec: Pick<CellSpec, 'mounts' | 'pathEntries' | 'posture'>): (name: string) => boolean
  /** Returns the plan of a cell, with notices about what its start would do. Starts and changes nothing. */
  plan(spec: CellSpec): Promise<CellPlan>
  /** Quarantines files that programs on the host would run or obey later, in a directory that was made for a cell. */
  quarantine(root: string): Promise<NewQuarantine>
  /** Returns the server of the cells of another machine, whose trees are kept in a directory (absolute path). */
  cellServer(directory: string): Promise<CellServer>
  /** Returns another machine for cells. `open` opens a transport to its `cellServer`, and again if the connection is lost. */
  elsewhere(open: () => Promise<Transport>, options: ElsewhereOptions): Promise<Elsewhere>
  /** Returns a function that starts cells with replacements. Their events are written to the replacement log and to the user's. */
  cells(means: CellMeans): StartCell
}

/** The parts of the host for running an agent. */
export type RunHost = Pick<Host, 'env' | 'paths' | 'logins' | 'secrets' | 'presets' | 'installation' | 'startCell' | 'quarantine'>

/** Opens everything that one process needs on this machine (the composition root). The caller must dispose of it. */
export function openHost(options: HostOptions): Host {
  const { env, notice } = options
  const paths = resolvePaths(env)
  const out = wayOut()
  const machine = { ...inspectMachine(env, paths, agentsOnMachine), wayOut: out }
  const audit = openAuditLog(path.join(paths.state, 'audit'), { onTrouble: notice })
  const approvals = approverOf(env, paths, audit, options.asking)
  const backends = machineBackends(env)
  const deps: LaunchDeps = {
    machine,
    backends,
    notice,
    resolver: hostResolver({ env }),
    realResolver: dnsResolver(),
    upstream: out.upstream,
    audit: audit.write,
    approve: approvals,
    stateDirectory: paths.state,
    trifecta: {
      rule: () => configuredTrifecta(paths),
      ...(options.askStart === undefined ? {} : { ask: options.askStart }),
    },
    ...(options.onSwept === undefined ? {} : { onSwept: options.onSwept }),
    ...(options.survivor === undefined ? {} : { survivor: options.survivor }),
    ...(options.onPlan === undefined ? {} : { onPlan: options.onPlan }),
    ...(options.onNotice === undefined ? {} : { onNotice: options.onNotice }),
  }
  const installation: Host['installation'] = (adapter, program = null) => {
    const search = searchDirectories(env['PATH'] ?? '', paths.userHome)
    return program === null ? adapter.locate(search) : locateFile(program, search)
  }
  return {
    env,
    paths,
    machine,
    backends: withoutBareHost(backends),
    backendsOfRun: backends,
    audit,
    logins: storedLogins(paths, env, audit, notice),
    secrets: secretsOf(paths, env, options.askPassphrase),
    approvals,
    presets: (tools) => presetFacts(tools, paths, env),
    installation,
    startCell: traced(cellLauncher(deps), options),
    programs: (spec) => programsInCell(spec, spec.posture === 'L1' ? { ...machine, view: inspectHostView(machine) } : machine),
    plan: (spec) => planOnly(placed(spec, backends), machine, () => openCells(paths, env).inertEntries()),
    quarantine: (root) => quarantineNew(root, machine.runLater),
    cellServer: async (directory) => {
      const [{ CellServer: Server }, { ServedTrees }, { answerAbout }] = await Promise.all([
        import('./cell/places/cell-server.ts'),
        import('./cell/places/served-trees.ts'),
        import('./remotes/elsewhere.ts'),
      ])
      // Home has the rule about the lethal trifecta, and the user who can be asked.
      const { trifecta: _, onPlan: __, ...own } = deps
      return new Server(
        (home) => cellLauncher({ ...own, machine: { ...machine, user: { ...machine.user, home: home.userHome } }, home }),
        new ServedTrees(directory),
        (question) => answerAbout(question, installation),
      )
    },
    elsewhere: async (open, about) => (await import('./remotes/elsewhere.ts')).elsewhere(open, about, deps),
    cells: (means) => {
      const isProbe = means.resolver !== undefined || means.connect !== undefined
      const { trifecta, ...others } = deps
      const start = cellLauncher({
        ...others,
        // Cells of probes are not anybody's work, and have nobody's data.
        ...(isProbe || trifecta === undefined ? {} : { trifecta }),
        ...(means.resolver === undefined ? {} : { realResolver: means.resolver }),
        // A replaced internet has no proxy.
        ...(means.connect === undefined ? {} : { upstream: null }),
        ...means,
        audit: means.audit === undefined ? audit.write : both(audit.write, means.audit),
      })
      return isProbe ? start : traced(start, options)
    },
    [Symbol.dispose]: () => audit.close(),
  }
}

/** Adds telemetry to the start of cells, if it is configured. */
function traced(start: StartCell, { env, notice }: Pick<HostOptions, 'env' | 'notice'>): StartCell {
  const current = telemetry()
  if (current === null) return start
  return async (...all) => {
    const { tracedStart } = await import('./telemetry/traced-start.ts')
    return await tracedStart(start, { telemetry: current, env, notice }, ...all)
  }
}

/** The cells of this machine, including those of other processes, for commands that clean up. */
export interface CellRecords {
  readonly registry: CellRegistry
  /** Returns the private homes in a directory of them. */
  homes(directory: string): readonly string[]
  /** Deletes a private home. @throws PaddockError BUSY if a cell runs in it */
  resetHome(home: string): Promise<void>
  /** Returns the inert entries of all running cells of this Paddock. */
  inertEntries(): ReadonlySet<string>
  /** Returns the cells whose Paddock was killed. */
  dead(): ReturnType<typeof deadCells>
  /** Returns the cells that run now. */
  running(): ReturnType<typeof runningCells>
  /** Returns what a running cell has output so far (`keptOutput`). */
  output(record: CellRecord): Buffer | null
  /** Ends a running cell (`stopRunning`). */
  stop(record: CellRecord, graceMs: number): Promise<boolean>
  /** Cleans up after dead cells. */
  sweep(told: Pick<LaunchDeps, 'onSwept' | 'notice'>): Promise<unknown>
}

export function openCells(paths: Paths, env: NodeJS.ProcessEnv): CellRecords {
  const registry = openRegistry(path.join(paths.state, 'cells'))
  return {
    registry,
    homes: homesIn,
    resetHome: (home) => resetHome(home, (each) => registry.all().some((cell) => cell.home?.path === each)),
    inertEntries: () => inertPathsIn(registry),
    dead: () => deadCells(registry),
    running: () => runningCells(registry, machineBackends(env)),
    output: (record) => keptOutput(record.runDirectory),
    stop: (record, graceMs) => stopRunning(registry, machineBackends(env), record, graceMs),
    sweep: (told) => sweep(registry, machineBackends(env), told),
  }
}

/** Returns the reader of secrets, which is loaded with the first request. */
function secretsOf(paths: Paths, env: NodeJS.ProcessEnv, askPassphrase: HostOptions['askPassphrase']): SecretKeeper {
  let made: Promise<SecretKeeper> | null = null
  const make = async (): Promise<SecretKeeper> => {
    const [{ secretKeeper }, { vaultMeans }] = await Promise.all([
      import('./credentials/secret-keeper.ts'),
      import('./credentials/vault/means.ts'),
    ])
    return secretKeeper({ env, vault: vaultMeans(paths, env, askPassphrase) })
  }
  return async (ref) => {
    made ??= make()
    return (await made)(ref)
  }
}

/** Returns the stored logins, which are loaded with the first use, because most commands do not need them. */
function storedLogins(paths: Paths, env: NodeJS.ProcessEnv, audit: AuditLog, notice: (line: string) => void): StoredLogins {
  let made: Promise<HostLogins> | null = null
  const make = async (): Promise<HostLogins> => {
    const [{ HostLogins: Made }, formats] = await Promise.all([import('./credentials/stored-logins.ts'), loginFormats()])
    return new Made({ paths, env, formats, audit: audit.write, notice })
  }
  const logins = (): Promise<HostLogins> => (made ??= make())
  return {
    read: async (agent, volume) => (await logins()).read(agent, volume),
    access: async (login, signal) => (await logins()).access(login, signal),
    rejected: (login, token) => void logins().then((each) => each.rejected(login, token)),
    snapshot: async (hostPath) => (await logins()).snapshot(hostPath),
    place: async (agent, login) => (await logins()).place(agent, login),
    lend: async (agent, volume) => (await logins()).lend(agent, volume),
  }
}

async function presetFacts(tools: readonly RegistryTool[], paths: Paths, env: NodeJS.ProcessEnv): Promise<PresetFacts> {
  const { readPresetFacts } = await import('./egress/policy/preset-facts.ts')
  return readPresetFacts(tools, {
    home: paths.userHome,
    env,
    program: (name) => hostProgram(name, env['PATH'] ?? ''),
  })
}

const both =
  (one: AuditSink, other: AuditSink): AuditSink =>
  (event) => {
    one(event)
    other(event)
  }

/** The name of an environment variable. With `off`, the answer to every question that is not remembered is no, at once. */
const questionsVariable = 'PADDOCK_QUESTIONS'

/** Returns the approver, which is made with the first question, because most cells ask nothing. */
function approverOf(env: NodeJS.ProcessEnv, paths: Paths, audit: AuditLog, asking: HostOptions['asking']): Approver {
  let made: Promise<Approver> | null = null
  const make = async (): Promise<Approver> => {
    const { openApprovals } = await import('./egress/approvals/approver.ts')
    const isUnasked = env[questionsVariable] === 'off'
    const means = isUnasked ? { timeoutMs: 0 } : asking === undefined ? {} : await asking()
    return openApprovals({ stateDirectory: paths.state, configDirectory: paths.config, audit: audit.write, ...means }).approve
  }
  return async (question, signal) => {
    made ??= make()
    return (await made)(question, signal)
  }
}
