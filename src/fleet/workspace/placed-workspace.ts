import type { CellSpec } from '../../cell/plan/spec.ts'
import type { CellReport } from '../../cell/report.ts'
import type { Host, RunHost } from '../../host.ts'
import type { SetupWish } from '../../setup/wish.ts'
import type { JobWorktree } from '../jobs/job.ts'

/** The parts of the host that are needed to place a workspace. */
export type WorkspaceHost = RunHost & Pick<Host, 'machine' | 'audit'>

/** What the configuration adds to new trees of a project. */
export interface TreeWishes {
  /** Files of the project that git does not track, for a new work tree. */
  readonly files: readonly string[]
  readonly setup: SetupWish | null
}

/** Sets up a new tree: see `setUp`. `say`: shows one line to the user. */
export type SetUpTree = (directory: string, say: (line: string) => void) => Promise<readonly string[]>

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
