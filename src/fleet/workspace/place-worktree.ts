import { messageOf } from '../../base/errors.ts'
import type { CellReport } from '../../cell/report.ts'
import { openWorktree } from '../../worktree/open-worktree.ts'
import { removeWorktree } from '../../worktree/remove.ts'
import { worktreeState } from '../../worktree/state.ts'
import type { JobWorktree } from '../jobs/job.ts'
import { copyHost } from './fleet-copy-host.ts'
import type { SetUpTree, Workspace, WorkspaceHost } from './placed-workspace.ts'

export interface WorktreePlace {
  /** The name of the work tree and of its branch. */
  readonly name: string
  /** Files of the project that git does not track and that a new work tree gets. */
  readonly files: readonly string[]
}

/**
 * Opens the work tree of a job as `paddock run --worktree` does. One that the job changed in any way is kept.
 * @throws PaddockError as `openWorktree`
 */
export async function inWorktree(
  project: string,
  { name, files }: WorktreePlace,
  setUp: SetUpTree | null,
  host: WorkspaceHost,
): Promise<Workspace> {
  const own = copyHost(host)
  const { record, isNew, notes } = await openWorktree({ project, name, within: null, copy: files }, own)
  const { directory } = record
  const at = { name, project, directory }
  /** Removes a new work tree unless that would lose something. Returns true if it is removed. */
  const discard = async (): Promise<boolean> => {
    if (!isNew) return false
    return await removeWorktree(record, { force: false, keepBranch: false }, own).then(
      () => true,
      () => false,
    )
  }
  const ended = async (report: CellReport): Promise<{ readonly worktree: JobWorktree | null; readonly notes: readonly string[] }> => {
    // Files that git ignores are not a loss for `removeWorktree`, but work of the job.
    if (isUnchanged(report) && (await discard())) return { worktree: null, notes: [] }
    try {
      const { unmerged, uncommitted } = await worktreeState(record, own)
      return { worktree: { ...at, unmerged, uncommitted: uncommitted.length }, notes: [] }
    } catch (error) {
      return {
        worktree: { ...at, unmerged: null, uncommitted: null },
        notes: [`The work tree could not be compared: ${messageOf(error)}`],
      }
    }
  }
  return {
    path: directory,
    async place(spec) {
      const said = [...notes]
      await setUp?.(directory, (line) => said.push(line))
      return { spec: { ...spec, taskTree: true }, notes: said, end: async (report) => ({ report, copy: null, ...(await ended(report)) }) }
    },
    discard: async () => void (await discard()),
  }
}

function isUnchanged({ changes }: CellReport): boolean {
  if (changes === null || changes.truncated) return false
  const { created, modified, deleted, renamed, git } = changes
  return [created, modified, deleted, renamed, git].every((each) => each.length === 0)
}
