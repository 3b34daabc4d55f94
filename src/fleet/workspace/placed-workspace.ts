import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { Host } from '../../host.ts'
import type { JobWorktree } from '../jobs/job.ts'

/** The parts of the host that are needed to place a workspace. */
export type WorkspaceHost = Pick<Host, 'machine' | 'paths' | 'env'>

/** The workspace of one job. */
export interface Workspace {
  /** The path of the workspace in the cell: the working directory, and the project for `prepare`. */
  readonly path: string
  /** Adds the workspace to the specification of the job's cell. */
  place(spec: CellSpec): Promise<PlacedWorkspace>
  /** Removes what was made for the job. Called if no cell started. */
  discard(): Promise<void>
}

/** A workspace in the wishes for one cell. */
export interface PlacedWorkspace {
  readonly spec: CellSpec
  readonly notes: readonly string[]
  /** Called after the cell has ended. */
  end(report: CellReport): Promise<WorkspaceEnd>
}

export interface WorkspaceEnd {
  /** The cell's report, with paths relative to the workspace. */
  readonly report: CellReport
  /** The id of a copy that contains changes, or null. */
  readonly copy: string | null
  /** The work tree of git in which the job worked, or null. */
  readonly worktree: JobWorktree | null
  readonly notes: readonly string[]
}
