import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { Host } from '../../host.ts'

/** What placing a workspace needs of the machine. */
export type WorkspaceHost = Pick<Host, 'machine' | 'paths' | 'env'>

/** A workspace in the wishes for one cell. */
export interface PlacedWorkspace {
  readonly spec: CellSpec
  readonly notes: readonly string[]
  /** After the cell. */
  end(report: CellReport): Promise<WorkspaceEnd>
  /** If the cell did not start. */
  discard(): Promise<void>
}

export interface WorkspaceEnd {
  /** The report as it concerns the workspace. */
  readonly report: CellReport
  /** The id of a copy that holds changes; null: there is none. */
  readonly copy: string | null
  readonly notes: readonly string[]
}
