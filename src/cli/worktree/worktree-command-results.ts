import * as z from 'zod'
import { mergedSchema, removedSchema } from '../../worktree/worktree-results.ts'

const stateSchema = z.strictObject({
  branch: z.string().nullable(),
  head: z.string().nullable(),
  unmerged: z.int().describe('Number of commits that no other branch, tag or remote has.'),
  uncommitted: z.array(z.string()).describe('Files that differ from HEAD, and new ones.'),
  inProgress: z.enum(['rebase', 'am', 'merge', 'cherry-pick', 'revert', 'bisect']).nullable(),
  runsLater: z
    .array(z.strictObject({ path: z.string(), why: z.string() }))
    .describe('Changed files that a program on this machine runs later.'),
})
const treeSchema = z.strictObject({
  name: z.string().describe('The name of the work tree and of its branch.'),
  project: z.string(),
  directory: z.string(),
  base: z.string().describe('The commit from which the branch started.'),
  createdAt: z.string(),
})

export const openedWorktreeSchema = z.strictObject({ schemaVersion: z.literal(1), ...treeSchema.shape, state: stateSchema })

export const worktreeResults = {
  'worktree list': z.strictObject({
    schemaVersion: z.literal(1),
    worktrees: z.array(
      treeSchema.extend({
        state: stateSchema.nullable().describe('Null if the state cannot be read.'),
        problem: z.string().nullable(),
      }),
    ),
    unreadable: z
      .array(z.strictObject({ file: z.string(), why: z.string() }))
      .describe('Records of work trees that this Paddock cannot read, such as those of a newer one.'),
  }),
  'worktree open': openedWorktreeSchema,
  'worktree merge': mergedSchema,
  'worktree remove': removedSchema,
}
