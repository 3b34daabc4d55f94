import { existsSync } from 'node:fs'
import path from 'node:path'
import { hostProgram } from '../../system/host-program.ts'
import type { LimitPlan } from '../plan/cell-limits.ts'
import { machineCgroups, userManagerHoldsCpus } from './cgroup.ts'

/** The variables needed to find the user's systemd. */
export interface UserSession {
  /** The host's PATH, which is searched for system programs after the usual places. */
  readonly searchPath: string
  /** The user's `XDG_RUNTIME_DIR` and `DBUS_SESSION_BUS_ADDRESS`, for systemd-run. */
  readonly sessionEnv: Readonly<Record<string, string>>
}

/**
 * Returns the arguments that put a program into a transient scope of the user's systemd with these limits (systemd-run(1)). Empty if
 * the user has no systemd.
 */
export function systemdScope(limits: LimitPlan, { searchPath, sessionEnv }: UserSession): readonly string[] {
  const run = hostProgram('systemd-run', searchPath)
  const runtime = sessionEnv['XDG_RUNTIME_DIR']
  if (run === null || runtime === undefined || !existsSync(path.join(runtime, 'systemd'))) return []
  const properties = [
    ...(limits.memory.value === null ? [] : [`MemoryMax=${limits.memory.value}`, 'MemorySwapMax=0']),
    ...(limits.pids.value === null ? [] : [`TasksMax=${limits.pids.value}`]),
    ...(limits.cpus.value === null ? [] : [`CPUQuota=${Math.max(1, Math.round(limits.cpus.value * 100))}%`]),
  ]
  return [run, '--user', '--scope', '--quiet', '--collect', ...properties.flatMap((each) => ['-p', each]), '--']
}

/** Returns true if these arguments create a scope that limits memory and tasks; `with cpus` if it also limits processor time. */
export function heldByScope(scope: readonly string[]): boolean | 'with cpus' {
  if (scope.length === 0) return false
  return userManagerHoldsCpus(machineCgroups()) ? 'with cpus' : true
}
