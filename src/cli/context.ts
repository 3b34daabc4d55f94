import path from 'node:path'
import { type AuditLog, openAuditLog } from '../audit/log.ts'
import { bubblewrap } from '../cell/backends/bubblewrap/backend.ts'
import type { StartCell } from '../cell/cell.ts'
import { inspectMachine, type MachineFacts } from '../cell/facts.ts'
import { cellLauncher } from '../cell/launch.ts'
import type { CellPlan } from '../cell/plan.ts'
import { hostResolver } from '../egress/resolver.ts'
import { type Paths, resolvePaths } from '../paths.ts'

/** What every command works with; made once, here, from the environment of this process. */
export interface Context {
  readonly env: NodeJS.ProcessEnv
  readonly paths: Paths
  readonly machine: MachineFacts
  readonly audit: AuditLog
  readonly startCell: StartCell
}

export function openContext(options: { readonly onPlan?: (plan: CellPlan) => void } = {}): Context {
  const env = process.env
  const paths = resolvePaths(env)
  const machine = inspectMachine(env, paths)
  const audit = openAuditLog(path.join(paths.state, 'audit'))
  const startCell = cellLauncher({
    machine,
    backend: bubblewrap({ searchPath: env['PATH'] ?? '', sessionEnv: sessionEnvironment(env) }),
    resolver: hostResolver(),
    audit: audit.write,
    stateDirectory: paths.state,
    ...(options.onPlan === undefined ? {} : { onPlan: options.onPlan }),
  })
  return { env, paths, machine, audit, startCell }
}

function sessionEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
