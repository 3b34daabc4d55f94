import type * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { JobWorktree } from '../../fleet/jobs/job.ts'
import type { mergedSchema, removedSchema } from '../../worktree/worktree-results.ts'
import type { OwnCommand } from '../own-command.ts'

/** Returns the work tree in which a job worked, or null. */
export function worktreeOf(id: string, jobs: Fleet['jobs']): JobWorktree | null {
  return jobs.get(id)?.result?.worktree ?? null
}

/** Returns the arguments that name a work tree. */
const named = ({ name, project }: JobWorktree): string[] => ['--project', project, '--', name]

interface MergeWish {
  readonly branch: boolean
  readonly runLater: boolean
  readonly paths?: readonly string[] | undefined
  readonly commit?: object | undefined
}

/**
 * Merges the branch of a job into the branch of its project, or only keeps the branch. The work tree is deleted if nothing is left in it.
 * @throws PaddockError BAD_INPUT for options that only a copy has; those of `paddock worktree merge` and `paddock worktree remove`
 */
export async function mergeJob(tree: JobWorktree, wish: MergeWish, command: OwnCommand): Promise<z.output<typeof mergedSchema>> {
  if (wish.paths !== undefined || wish.commit !== undefined)
    throw new PaddockError('BAD_INPUT', 'The job worked on a branch, which is merged as a whole: paths and commit have no effect.', {
      hint: 'Leave paths and commit out',
    })
  if (wish.branch) {
    const { name, project, directory } = await command('worktree remove', ['--keep-branch', ...named(tree)])
    return { schemaVersion: 1, name, project, directory, into: null, commit: null, commits: 0, files: [], uncommitted: [], kept: false }
  }
  const merged = await command('worktree merge', [...(wish.runLater ? ['--run-later'] : []), ...named(tree)])
  // A later job may work there already, and files that are in no commit are left.
  const isRemoved = await command('worktree remove', named(tree)).then(
    () => true,
    () => false,
  )
  return { ...merged, kept: !isRemoved }
}

/** Deletes the work tree and the branch of a job, with all that is nowhere else. */
export function discardWorktree(tree: JobWorktree, command: OwnCommand): Promise<z.output<typeof removedSchema>> {
  return command('worktree remove', ['--force', ...named(tree)])
}
