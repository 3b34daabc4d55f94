import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { Host } from '../../host.ts'

/** The parts of the host that are needed to place a workspace. */
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
  /** The cell's report, with paths relative to the workspace. */
  readonly report: CellReport
  /** The id of a copy that contains changes, or null. */
  readonly copy: string | null
  readonly notes: readonly string[]
}
