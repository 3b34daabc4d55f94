import { formatCost } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import type { CellsAhead } from '../../contest/stages/cells-ahead.ts'
import type { ContestPlan, PlannedRun } from '../../contest/stages/plan-contest.ts'
import { table } from '../terminal/table.ts'

/** Returns the participants and judges that would run, where, and with which logins. */
export function planLines(plan: ContestPlan): readonly string[] {
  if (plan.participants.length + plan.judges.length === 0) return [`${plan.contest}: round ${plan.round} is complete, so nothing would run`]
  return [
    ...rolesTable(plan),
    '',
    `${cellsText(plan.cells)}, ${plan.parallel} at once (agents mostly wait for their models; to change it: --parallel)`,
    costLine(plan),
  ]
}

/** Returns a table of the participants and judges that would run. */
export function rolesTable(plan: Pick<ContestPlan, 'participants' | 'judges'>): readonly string[] {
  const row = (role: string, { name, agent, model, program, login, reaches, posture }: PlannedRun): string[] => [
    role,
    name,
    model === null ? agent : `${agent} (${printable(model)})`,
    printable(program),
    login ?? 'no login',
    reaches ?? 'no network',
    posture,
  ]
  const rows = [...plan.participants.map((each) => row('participant', each)), ...plan.judges.map((each) => row('judge', each))]
  return table(['role', 'name', 'agent', 'program', 'login', 'can reach', 'level'], rows)
}

/** Returns a text such as `9 cells (participants 2, checks 4, judges 3)`. */
export function cellsText({ participants, checks, judges }: CellsAhead): string {
  const all = participants + checks + judges
  return `${all} ${all === 1 ? 'cell' : 'cells'} (participants ${participants}, checks ${checks}, judges ${judges})`
}

function costLine({ costUsd, costUnknown }: ContestPlan): string {
  const known = costUsd > 0 ? `${formatCost(costUsd)} from earlier costs` : null
  if (costUnknown.length === 0) return `expected cost: ${known ?? 'nothing, because no model is asked'}`
  return `expected cost: ${known === null ? 'unknown' : `${known}, and unknown`} for ${costUnknown.map(printable).join(', ')}`
}
