import type { LimitPlan } from '../plan/cell-limits.ts'
import { type CellCgroup, createCgroup, machineCgroups } from '../resources/cgroup.ts'
import { heldByScope, systemdScope, type UserSession } from '../resources/systemd-scope.ts'
import { limitCause, readLimitFacts } from './causes/limit-causes.ts'
import { type Enforcement, enforce } from './enforcement.ts'

/** The mechanisms that hold the limits of one cell. */
export interface HeldLimits {
  /** The control group, which the caller must remove. */
  readonly cgroup: CellCgroup | null
  /** Arguments that put the first program of a cell into a systemd scope. Empty if no scope is needed. */
  readonly scope: readonly string[]
  readonly enforcement: Enforcement
}

/**
 * Creates a control group with these limits, or finds another mechanism for them. `note` receives the directories of a group before they
 * are created. If a limit cannot be held, no group remains.
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
    // Root has no systemd user session to ask.
    const scope = cgroup === null && process.getuid?.() !== 0 ? systemdScope(limits, session) : []
    return {
      cgroup,
      scope,
      enforcement: enforce(limits, cgroup, heldByScope(scope), degraded, () => limitCause(readLimitFacts(session.sessionEnv))),
    }
  } catch (error) {
    cgroup?.remove()
    throw error
  }
}
