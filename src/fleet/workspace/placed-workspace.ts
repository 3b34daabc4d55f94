import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { Host } from '../../host.ts'

/** The parts of the host that placing a workspace needs. */
export type WorkspaceHost = Pick<Host, 'machine' | 'paths' | 'env'>

/** A workspace in the wishes for one cell. */
export interface PlacedWorkspace {
  readonly spec: CellSpec
  readonly notes: readonly string[]
  /** Called after the cell has ended. */
  end(report: CellReport): Promise<WorkspaceEnd>
  /** Called if the cell did not start. */
  discard(): Promise<void>
}

export interface WorkspaceEnd {
  /** The report, seen from the workspace. */
  readonly report: CellReport
  /** The id of a copy that contains changes, or null. */
  readonly copy: string | null
  readonly notes: readonly string[]
}
