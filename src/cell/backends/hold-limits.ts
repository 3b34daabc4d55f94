import type { LimitPlan } from '../plan/limits.ts'
import { type CellCgroup, createCgroup, machineCgroups } from '../resources/cgroup.ts'
import { heldByScope, systemdScope, type UserSession } from '../resources/systemd-scope.ts'
import { type Enforcement, enforce } from './enforcement.ts'

/** What holds the limits of one cell. */
export interface HeldLimits {
  /** Made here, and removed by the caller. */
  readonly cgroup: CellCgroup | null
  /** Words that put the first program of a cell into a scope of systemd; empty if none is needed. */
  readonly scope: readonly string[]
  readonly enforcement: Enforcement
}

/**
 * Makes a control group with these limits, or finds what else holds them here. `note` gets the directories of a group before they are
 * made. If a limit cannot be held, no group is left.
 * @throws PaddockError `UNENFORCEABLE` as `enforce` does
 */
export function holdLimits(
  id: string,
  limits: LimitPlan,
  degraded: readonly string[],
  session: UserSession,
  note: (cgroups: readonly string[]) => void,
): HeldLimits {
  const cgroup = createCgroup(id, limits, machineCgroups(), note)
  try {
    // Root has no systemd of its own to ask.
    const scope = cgroup === null && process.getuid?.() !== 0 ? systemdScope(limits, session) : []
    return { cgroup, scope, enforcement: enforce(limits, cgroup, heldByScope(scope), degraded) }
  } catch (error) {
    cgroup?.remove()
    throw error
  }
}
