import type { AuditEvent } from '../../audit/event.ts'
import type { EgressSummary } from '../../egress/egress-summary.ts'
import type { Backend, CellRemains } from '../backend.ts'
import type { LimitInForce } from '../plan/cell-limits.ts'
import type { CellPlan } from '../plan/plan.ts'
import type { CellReport, ChangeSummary } from '../report.ts'
import { endingOf } from './cell-ending.ts'
import { whyNotRun } from './not-runnable.ts'
import type { Stopping } from './stopping.ts'

/** The facts about a cell that has ended completely. */
export interface EndedCell {
  readonly id: string
  readonly plan: CellPlan
  readonly planHash: string
  readonly backend: Pick<Backend, 'name'>
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
  const { plan, backend, stopping } = ended
  const { oomKilled, cpuMs, peakMemoryBytes, traffic } = ended.remains
  return {
    schemaVersion: 1,
    cell: ended.id,
    name: plan.name,
    posture: plan.posture,
    backend: backend.name,
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
  }
}

/** Returns the event for the audit log. */
export function endEvent({ code, remains }: Pick<EndedCell, 'code' | 'remains'>, report: CellReport): AuditEvent {
  return {
    kind: 'cell.end',
    cell: report.cell,
    data: {
      ending: report.ending.kind,
      ...(code === null ? {} : { code }),
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
