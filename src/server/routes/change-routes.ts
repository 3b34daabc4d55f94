import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { appliedSchema, discardedSchema, reviewSchema } from '../../copy/copy-results.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { mergedSchema, removedSchema } from '../../worktree/worktree-results.ts'
import type { OwnCommand } from '../own-command.ts'
import type { App } from '../server-deps.ts'
import { discardWorktree, mergeJob, worktreeOf } from './job-worktree-routes.ts'

export interface ChangeRoutes {
  readonly fleet: Pick<Fleet, 'jobs'>
  readonly command: OwnCommand
}

const params = z.object({ job: z.string().max(64).describe('Its id.') })
/** The options in a request to apply changes. */
export const applyWish = {
  paths: z.array(z.string().min(1).max(4096)).max(10_000).optional().describe('Only these paths, relative to the project.'),
  runLater: z.boolean().default(false).describe('Also apply files that programs on this machine run later.'),
  allowSecrets: z.boolean().default(false).describe('Also apply files that seem to contain a secret.'),
  commit: z
    .strictObject({ message: z.string().max(65_536).optional() })
    .optional()
    .describe('Commits these paths with git.'),
}

/** Returns the options for a command that applies changes. */
export function wordsOf({ paths = [], runLater, allowSecrets, commit }: z.output<z.ZodObject<typeof applyWish>>): string[] {
  return [
    ...paths.map((each) => `--path=${each}`),
    ...(runLater ? ['--run-later'] : []),
    ...(allowSecrets ? ['--allow-secrets'] : []),
    ...(commit === undefined ? [] : ['--commit']),
    ...(commit?.message === undefined ? [] : [`--message=${commit.message}`]),
  ]
}

/** Adds routes to show, apply and discard the changes of a job in the copy of its project. */
export function changeRoutes(app: App, { fleet, command }: ChangeRoutes): void {
  const { jobs } = fleet
  const copyOf = (id: string): string => {
    const job = jobs.get(id)
    if (job === null) throw new PaddockError('NOT_FOUND', `There is no job ${id}.`, { hint: 'Run: paddock job list' })
    const copy = job.result?.copy ?? null
    if (copy !== null) return copy
    const tree = job.result?.worktree ?? null
    if (tree !== null)
      throw new PaddockError('CONFLICT', `The job ${id} worked on branch ${tree.name}, so it has no copy to review.`, {
        hint: `Run: paddock job review ${id}`,
      })
    throw new PaddockError('NOT_FOUND', `The job ${id} has no copy of a project to review.`, {
      hint: 'Only jobs of agents with workspace: { copy: PROJECT } have one, if they changed something',
    })
  }
  /** Runs a command on the copy of a job, and notes if there is no such copy. */
  const onCopy = async <Name extends 'review' | 'apply' | 'discard'>(name: Name, id: string, words: readonly string[]) => {
    const copy = copyOf(id)
    try {
      return await command(name, [...words, '--', copy])
    } catch (error) {
      // It was applied or discarded, perhaps by a command in a terminal.
      if (error instanceof PaddockError && error.code === 'NOT_FOUND') jobs.noteToApply(id, 0)
      throw error
    }
  }

  app.get(
    '/api/v1/jobs/:job/changes',
    {
      config: { role: 'viewer' },
      schema: {
        operationId: 'reviewJob',
        summary: 'Returns what a job changed in its copy of the project: files, diffs, protected paths, secrets found.',
        params,
        querystring: z.strictObject({ stat: z.stringbool().default(false).describe('Leave out the diffs.') }),
        response: { 200: reviewSchema },
      },
    },
    async ({ params: { job }, query }) => {
      const found = await onCopy('review', job, query.stat ? ['--stat'] : [])
      jobs.noteToApply(job, found.changes.length)
      return found
    },
  )
  app.get(
    '/api/v1/jobs/:job/changes/whole',
    {
      // The diff also contains unchanged lines of the project, which viewers may not see.
      config: { role: 'operator' },
      schema: {
        operationId: 'reviewWholeFile',
        summary: 'Returns what a job changed in one file, with all lines of the file around it.',
        params,
        querystring: z.strictObject({ path: z.string().min(1).max(4096).describe('The path, as in the list of changes.') }),
        response: { 200: reviewSchema },
      },
    },
    ({ params, query }) => onCopy('review', params.job, ['--whole', `--path=${query.path}`]),
  )
  app.post(
    '/api/v1/jobs/:job/apply',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'applyJob',
        summary: 'Applies the changes of a job to the project, all or some. If it worked on a branch, merges the branch.',
        params,
        body: z.strictObject({
          ...applyWish,
          branch: z.boolean().default(false).describe('Only keeps the branch of a job in a work tree, and deletes the work tree.'),
        }),
        response: { 200: z.union([appliedSchema, mergedSchema]) },
      },
    },
    async ({ params, body }) => {
      const tree = worktreeOf(params.job, jobs)
      if (tree !== null) {
        const merged = await mergeJob(tree, body, command)
        jobs.noteToApply(params.job, 0)
        return merged
      }
      if (body.branch)
        throw new PaddockError('BAD_INPUT', `body.branch: the job ${params.job} has no branch.`, { hint: 'Leave branch out' })
      const applied = await onCopy('apply', params.job, wordsOf(body))
      jobs.noteToApply(params.job, applied.left)
      return applied
    },
  )
  app.post(
    '/api/v1/jobs/:job/discard',
    {
      config: { role: 'operator' },
      schema: {
        operationId: 'discardJob',
        summary: 'Deletes the copy of a job, or its work tree and branch, with all changes in it.',
        params,
        response: { 200: z.union([discardedSchema, removedSchema]) },
      },
    },
    async ({ params }) => {
      const tree = worktreeOf(params.job, jobs)
      const discarded = tree === null ? await onCopy('discard', params.job, []) : await discardWorktree(tree, command)
      jobs.noteToApply(params.job, 0)
      return discarded
    },
  )
}
