import * as z from 'zod'

const which = {
  schemaVersion: z.literal(1),
  name: z.string().describe('The name of the work tree and of its branch.'),
  project: z.string(),
  directory: z.string(),
}

/** The output of `paddock worktree merge --json`, and of applying a job that worked in a work tree. */
export const mergedSchema = z
  .strictObject({
    ...which,
    into: z.string().nullable().describe('The branch of the project; null if the branch was only kept.'),
    commit: z.string().nullable().describe('The new commit of that branch.'),
    commits: z.int().describe('Number of merged commits.'),
    files: z.array(z.string()).describe('Paths of the project that changed.'),
    uncommitted: z.array(z.string()).describe('Files of the work tree that are in no commit, and so were not merged.'),
    kept: z.boolean().describe('Whether the work tree still exists.'),
  })
  .meta({ id: 'Merged' })

/** The output of `paddock worktree remove --json`. */
export const removedSchema = z
  .strictObject({ ...which, commit: z.string().nullable().describe('The commit of the deleted branch; null if no branch was deleted.') })
  .meta({ id: 'RemovedWorktree' })
