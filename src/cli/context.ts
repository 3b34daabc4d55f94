import path from 'node:path'
import { type AuditLog, openAuditLog } from '../audit/log.ts'
import { bubblewrap } from '../cell/backends/bubblewrap/backend.ts'
import type { StartCell } from '../cell/cell.ts'
import { inspectMachine, type MachineFacts } from '../cell/facts.ts'
import { cellLauncher, type LaunchDeps } from '../cell/launch.ts'
import type { CellPlan } from '../cell/plan.ts'
import type { Approver } from '../egress/approval.ts'
import type { ApprovalsOptions } from '../egress/approvals/approver.ts'
import { hostResolver } from '../egress/resolver.ts'
import { type Paths, resolvePaths } from '../paths.ts'
import { say } from './output.ts'

/** What every command works with; made once, here, from the environment of this process. */
export interface Context {
  readonly env: NodeJS.ProcessEnv
  readonly paths: Paths
  readonly machine: MachineFacts
  readonly audit: AuditLog
  readonly startCell: StartCell
  /** The same with other names and another way to them, for probes. */
  readonly launcher: (names: Required<Pick<LaunchDeps, 'resolver' | 'connect'>>) => StartCell
}

export interface ContextOptions {
  readonly onPlan?: (plan: CellPlan) => void
  /** How questions of cells reach the user on the spot; without it they can be answered with `paddock approvals` alone. */
  readonly asking?: () => Promise<Pick<ApprovalsOptions, 'terminal' | 'notice'>>
}

export function openContext(options: ContextOptions = {}): Context {
  const env = process.env
  const paths = resolvePaths(env)
  const machine = inspectMachine(env, paths)
  const audit = openAuditLog(path.join(paths.state, 'audit'), { onTrouble: say })
  const deps: LaunchDeps = {
    machine,
    backend: bubblewrap({ searchPath: env['PATH'] ?? '', sessionEnv: sessionEnvironment(env) }),
    resolver: hostResolver(),
    audit: audit.write,
    approve: approverOf(paths, audit, options.asking),
    stateDirectory: paths.state,
    ...(options.onPlan === undefined ? {} : { onPlan: options.onPlan }),
  }
  return { env, paths, machine, audit, startCell: cellLauncher(deps), launcher: (names) => cellLauncher({ ...deps, ...names }) }
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
