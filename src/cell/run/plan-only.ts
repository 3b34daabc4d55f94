import { authorityOf } from '../../egress/inspect/tls/authority-of.ts'
import type { MachineFacts } from '../plan/machine-facts.ts'
import type { CellPlan } from '../plan/plan.ts'
import { planFor, treesOf } from '../plan/plan-for.ts'
import type { CellSpec } from '../plan/spec.ts'
import { searchShared } from './own-shared.ts'

/** Returns the plan of a cell, with notices about what its start would do. Starts and changes nothing. */
export async function planOnly(spec: CellSpec, machine: MachineFacts, inertPaths: () => ReadonlySet<string>): Promise<CellPlan> {
  const shared = await searchShared(spec, treesOf(spec))
  const { planned } = planFor(spec, machine, inertPaths, authorityOf(spec.egress, spec.credentials ?? [])?.certificate ?? null)
  const notice = await shared.notice(planned)
  return notice === null ? planned : { ...planned, notices: [...planned.notices, notice] }
}
