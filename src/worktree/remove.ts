import { rmSync } from 'node:fs'
import { PaddockError } from '../base/errors.ts'
import { refuseWhileConfigured, refuseWhileRunning } from '../copy/hold-copy.ts'
import { removeTree } from '../files/remove-tree.ts'
import { readRefs } from '../git/tips.ts'
import { isStanding } from './open-worktree.ts'
import { worktreeState } from './state.ts'
import { userGit } from './user-git.ts'
import type { WorktreeHost } from './worktree-host.ts'
import { lockWorktrees, recordFile } from './worktree-place.ts'
import type { WorktreeRecord } from './worktree-record.ts'

export interface RemovedWorktree {
  /** The commit of the branch that was deleted; null if the branch stays or was gone. */
  readonly commit: string | null
}

export interface RemoveWish {
  /** Deletes commits and files too that are nowhere else. */
  readonly force: boolean
  /** Keeps the branch, so that only files can be lost. */
  readonly keepBranch: boolean
}

/**
 * Removes a work tree and its branch.
 * @throws PaddockError CONFLICT if that would lose commits or files, unless `force`; BUSY while a cell can write there
 */
export async function removeWorktree(
  record: WorktreeRecord,
  { force, keepBranch }: RemoveWish,
  host: WorktreeHost,
): Promise<RemovedWorktree> {
  const { name, directory, common, project } = record
  using _lock = await lockWorktrees(host.paths, common, 'paddock worktree remove')
  await refuseWhileRunning([directory], host.paths)
  refuseWhileConfigured(common, host.paths)
  const git = userGit(project, host)
  const isThere = isStanding(record)
  if (isThere && !force) await refuseLoss(record, keepBranch, host)
  if (isThere) {
    await removeTree(directory)
    // The directory is gone, so git only forgets the work tree.
    // Twice, because the cell may have locked it.
    git.ask(['worktree', 'remove', '--force', '--force', directory])
  }
  // A branch whose work tree is gone was not looked at, so it stays.
  const commit = (isThere || force) && !keepBranch ? (readRefs(common).ids().get(`refs/heads/${name}`) ?? null) : null
  if (commit !== null) git.ask(['branch', '-D', '--quiet', name])
  rmSync(recordFile(host.paths, common, name), { force: true })
  host.note('worktree.removed', { name, project, directory, commit, force, keepBranch })
  return { commit }
}

async function refuseLoss(record: WorktreeRecord, keepBranch: boolean, host: WorktreeHost): Promise<void> {
  const { unmerged: all, uncommitted, inProgress, branch } = await worktreeState(record, host)
  const unmerged = keepBranch && branch === record.name ? 0 : all
  const lost = [
    ...(unmerged === 0 ? [] : [unmerged === 1 ? '1 commit that is only there' : `${unmerged} commits that are only there`]),
    ...(uncommitted.length === 0 ? [] : [uncommitted.length === 1 ? '1 uncommitted file' : `${uncommitted.length} uncommitted files`]),
    ...(inProgress === null ? [] : [`a ${inProgress} in progress`]),
  ]
  if (lost.length === 0) return
  throw new PaddockError('CONFLICT', `The work tree ${record.name} has ${lost.join(' and ')}.`, {
    hint: `To keep the commits, run: git merge ${record.name}. To delete everything, run: paddock worktree remove --force ${record.name}`,
  })
}
