import { createHash } from 'node:crypto'
import type { AuditEvent } from '../../audit/event.ts'
import type { EgressSummary } from '../../egress/egress-summary.ts'
import type { CellRemains } from '../backend.ts'
import type { CellIo } from '../cell.ts'
import type { LimitInForce } from '../plan/cell-limits.ts'
import { checkedOut } from '../plan/git-facts.ts'
import type { CellPlan } from '../plan/plan.ts'
import type { CellSpec } from '../plan/spec.ts'
import { trifectaRating } from '../plan/trifecta/trifecta.ts'
import type { CellReport, ChangeSummary } from '../report.ts'
import { endingOf } from './cell-ending.ts'
import { whyNotRun } from './not-runnable.ts'
import type { Stopping } from './stopping.ts'

/** The facts about a cell that starts. */
interface StartingCell {
  readonly id: string
  readonly spec: Pick<CellSpec, 'agent' | 'project' | 'projectCopy'>
  readonly plan: CellPlan
  readonly planHash: string
}

/** The facts about a cell that has ended completely. */
export interface EndedCell extends StartingCell {
  /** Start of the cell, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
  readonly stopping: Pick<Stopping, 'ending' | 'ladder'>
  readonly code: number | null
  readonly setupError: string
  readonly remains: CellRemains
  readonly limits: readonly LimitInForce[]
  readonly egress: EgressSummary
  readonly changes: ChangeSummary | null
}

/** Returns the report for the caller. */
export function reportOf(ended: EndedCell): CellReport {
  const { plan, stopping } = ended
  const { oomKilled, cpuMs, peakMemoryBytes, traffic } = ended.remains
  return {
    schemaVersion: 1,
    cell: ended.id,
    name: plan.name,
    posture: plan.posture,
    backend: plan.backend,
    planHash: ended.planHash,
    startedAt: new Date(ended.startedAt).toISOString(),
    endedAt: new Date(ended.endedAt).toISOString(),
    durationMs: ended.endedAt - ended.startedAt,
    ending: endingOf(stopping.ending, ended.code, oomKilled, ended.setupError, () => whyNotRun(plan)),
    killLadder: stopping.ladder,
    resources: { cpuMs, peakMemoryBytes },
    limits: ended.limits,
    egress: { ...ended.egress, ...(traffic === null ? {} : { network: traffic }) },
    changes: ended.changes,
    degraded: plan.degraded,
    trifecta: trifectaRating(plan),
  }
}

/** Returns the event of the start for the audit log. The prompt is only in it as a hash. */
export function launchEvent({ id, spec, plan, planHash }: StartingCell, { stdin }: Pick<CellIo, 'stdin'>): AuditEvent {
  const { agent, project } = spec
  const prompt = agent?.prompt ?? (stdin instanceof Uint8Array ? stdin : null)
  return {
    kind: 'cell.launch',
    cell: id,
    data: {
      name: plan.name,
      posture: plan.posture,
      backend: plan.backend,
      egress: plan.egress.mode,
      plan: planHash,
      degraded: plan.degraded,
      trifecta: trifectaRating(plan),
      ...(agent === undefined ? {} : { agent: agent.name, version: agent.version, model: agent.model }),
      ...(prompt === null ? {} : { prompt: createHash('sha256').update(prompt).digest('hex') }),
      ...(project === undefined ? {} : { project, commit: checkedOut(project) }),
    },
  }
}

/** Returns the event of the end for the audit log. */
export function endEvent(
  { code, remains, spec }: Pick<EndedCell, 'code' | 'spec'> & { readonly remains: Pick<CellRemains, 'traffic'> },
  report: CellReport,
): AuditEvent {
  // A commit in a copy never reaches the project.
  const made = spec.projectCopy === undefined ? report.changes?.git.find((each) => each.workTree === '.') : undefined
  return {
    kind: 'cell.end',
    cell: report.cell,
    data: {
      ending: report.ending.kind,
      ...(code === null ? {} : { code }),
      ...(made === undefined || made.headAfter === made.headBefore ? {} : { commit: made.headAfter }),
      plan: report.planHash,
      durationMs: report.durationMs,
      killLadder: report.killLadder,
      ...report.resources,
      connections: report.egress.connections,
      bytesOut: report.egress.bytesOut,
      bytesIn: report.egress.bytesIn,
      ...(remains.traffic === null ? {} : { network: remains.traffic }),
    },
  }
}
