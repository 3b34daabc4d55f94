import path from 'node:path'
import { searchDirectories } from '../adapters/locate.ts'
import type { AuditSink } from '../audit/event.ts'
import { type AuditLog, openAuditLog } from '../audit/log.ts'
import { bubblewrap } from '../cell/backends/bubblewrap/backend.ts'
import { seatbelt } from '../cell/backends/seatbelt/backend.ts'
import type { StartCell } from '../cell/cell.ts'
import { inspectMachine, type MachineFacts } from '../cell/plan/facts.ts'
import type { CellPlan } from '../cell/plan/plan.ts'
import type { ChangeSummary } from '../cell/report.ts'
import { cellLauncher, type LaunchDeps } from '../cell/run/launch.ts'
import { findProgram } from '../credentials/program-in-path.ts'
import type { HostLogins } from '../credentials/stored-logins.ts'
import type { Approver } from '../egress/approvals/approval.ts'
import type { ApprovalsOptions } from '../egress/approvals/approver.ts'
import { dnsResolver, hostResolver } from '../egress/dns/resolver.ts'
import type { ProbeMeans } from '../guarantees/verify.ts'
import { type Paths, resolvePaths } from '../paths.ts'
import type { SecretKeeper } from '../run/bound-secrets.ts'
import type { StoredLogins } from '../run/cell-credentials.ts'
import { asideLines } from './run/change-lines.ts'
import { say } from './terminal/output.ts'

/** What every command works with; made once, here, from the environment of this process. */
export interface Context {
  readonly env: NodeJS.ProcessEnv
  readonly paths: Paths
  readonly machine: MachineFacts
  readonly audit: AuditLog
  /** What agents' own CLIs have stored here. */
  readonly logins: StoredLogins
  /** The vault, and what else keeps secrets. */
  readonly secrets: SecretKeeper
  readonly startCell: StartCell
  /** The same with the means of probes; what happens is in their log and in the user's. */
  readonly launcher: (means: ProbeMeans) => StartCell
  /** The same with other names, another way to them, for another user. */
  readonly cellsWith: (other: Required<Pick<LaunchDeps, 'resolver' | 'connect' | 'machine'>>) => StartCell
}

export interface ContextOptions {
  readonly onPlan?: (plan: CellPlan) => void
  /** Called each time that a name which a cell may reach does not resolve on this machine. */
  readonly onUnresolvable?: (host: string) => void
  /** How questions of cells reach the user on the spot; without it they can be answered with `paddock approvals` alone. */
  readonly asking?: () => Promise<Pick<ApprovalsOptions, 'terminal' | 'notice'>>
}

/** What builds the cells on this system. */
export const backendName = process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap'

export function openContext(options: ContextOptions = {}): Context {
  const env = process.env
  const paths = resolvePaths(env)
  const machine = inspectMachine(env, paths)
  const audit = openAuditLog(path.join(paths.state, 'audit'), { onTrouble: say })
  const deps: LaunchDeps = {
    machine,
    // The macOS backend has not been run on macOS; see its doc comment.
    backend: backendName === 'seatbelt' ? seatbelt() : bubblewrap({ searchPath: env['PATH'] ?? '', sessionEnv: sessionEnvironment(env) }),
    resolver: hostResolver(),
    realResolver: dnsResolver(),
    audit: audit.write,
    approve: approverOf(paths, audit, options.asking),
    stateDirectory: paths.state,
    onSwept: saySwept,
    ...(options.onPlan === undefined ? {} : { onPlan: options.onPlan }),
    ...(options.onUnresolvable === undefined ? {} : { onUnresolvable: options.onUnresolvable }),
  }
  return {
    env,
    paths,
    machine,
    audit,
    logins: storedLogins(paths, env, audit),
    secrets: secretsOf(paths, env),
    startCell: cellLauncher(deps),
    launcher: (means) => cellLauncher({ ...deps, realResolver: means.resolver, ...means, audit: both(audit.write, means.audit) }),
    cellsWith: (other) => cellLauncher({ ...deps, realResolver: other.resolver, ...other }),
  }
}

/** Loaded with the first secret that is asked for. A vault that is locked stays so: `paddock vault unlock` asks for the passphrase. */
function secretsOf(paths: Paths, env: NodeJS.ProcessEnv): SecretKeeper {
  let made: Promise<SecretKeeper> | null = null
  const make = async (): Promise<SecretKeeper> => {
    const [{ secretKeeper }, { vaultMeans }] = await Promise.all([
      import('../credentials/secret-keeper.ts'),
      import('./vault/vault-open.ts'),
    ])
    return secretKeeper({ env, vault: vaultMeans(paths) })
  }
  return async (ref) => {
    made ??= make()
    return (await made)(ref)
  }
}

/** Made with the first use: most commands have none. */
function storedLogins(paths: Paths, env: NodeJS.ProcessEnv, audit: AuditLog): StoredLogins {
  let made: Promise<HostLogins> | null = null
  const make = async (): Promise<HostLogins> => {
    const [{ HostLogins: Made }, { geminiClient }] = await Promise.all([
      import('../credentials/stored-logins.ts'),
      import('../credentials/refresh/installed-client.ts'),
    ])
    const program = findProgram('gemini', searchDirectories(env['PATH'] ?? '', paths.userHome).join(path.delimiter))
    const more = program === null ? {} : { installedClient: geminiClient(program) }
    return new Made({ paths, env, audit: audit.write, notice: say, ...more })
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

/** Of cells whose Paddock was killed, and could not say it itself. */
export function saySwept(changes: ChangeSummary): void {
  for (const each of asideLines(changes)) say(`a cell that was cut off: ${each}`)
}

const both =
  (one: AuditSink, other: AuditSink): AuditSink =>
  (event) => {
    one(event)
    other(event)
  }

/** Made with the first question: most cells ask none. */
function approverOf(paths: Paths, audit: AuditLog, asking: ContextOptions['asking']): Approver {
  let made: Promise<Approver> | null = null
  const make = async (): Promise<Approver> => {
    const { openApprovals } = await import('../egress/approvals/approver.ts')
    const means = asking === undefined ? {} : await asking()
    return openApprovals({ stateDirectory: paths.state, configDirectory: paths.config, audit: audit.write, ...means }).approve
  }
  return async (question, signal) => {
    made ??= make()
    return (await made)(question, signal)
  }
}

function sessionEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
