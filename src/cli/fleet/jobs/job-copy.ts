import type * as z from 'zod'
import { exitCodes, PaddockError } from '../../../base/errors.ts'
import { shellWord } from '../../../base/shell-word.ts'
import type { mergedSchema } from '../../../worktree/worktree-results.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { mergedLines } from '../../worktree/worktree-lines.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'

interface ApplyOptions extends ServerOptions {
  readonly runLater?: boolean
  readonly allowSecrets?: boolean
  readonly commit?: boolean
  readonly branch?: boolean
  readonly message?: string
}

/** `paddock job review`: shows the copy of a job as `paddock review` does, or the state of its branch. The server and its copies are on this machine. */
export async function reviewJob(id: string, options: ServerOptions & { readonly stat?: boolean }): Promise<Answer<Result<'job review'>>> {
  const job = answered(await connectServer(options).GET('/api/v1/jobs/{job}', { params: { path: { job: id } } }))
  const { copy = null, worktree = null } = job.result ?? {}
  if (worktree !== null) return (await import('../../worktree/review-branch.ts')).reviewBranch(worktree, id)
  if (copy === null)
    throw new PaddockError('NOT_FOUND', `The job ${id} has no copy of a project to review.`, {
      hint: 'Only jobs of agents with workspace: { copy: PROJECT } or { worktree: PROJECT } have one, if they changed something',
    })
  const { reviewCommand } = await import('../../copy/review-command.ts')
  return reviewCommand([copy], options)
}

/** Runs `paddock job apply`. */
export async function applyJob(id: string, paths: readonly string[], options: ApplyOptions): Promise<Answer<Result<'job apply'>>> {
  if (options.message !== undefined && options.commit !== true)
    throw new PaddockError('BAD_INPUT', '-m requires --commit.', { hint: 'paddock job apply JOB --commit -m MESSAGE' })
  const applied = answered(
    await connectServer(options).POST('/api/v1/jobs/{job}/apply', {
      params: { path: { job: id } },
      body: {
        ...(paths.length === 0 ? {} : { paths: [...paths] }),
        runLater: options.runLater === true,
        allowSecrets: options.allowSecrets === true,
        branch: options.branch === true,
        ...(options.commit === true ? { commit: options.message === undefined ? {} : { message: options.message } } : {}),
      },
    }),
  )
  if ('into' in applied) return mergedAnswer(applied, id)
  const { written, deleted } = applied
  return {
    data: applied,
    lines: [...written.map((each) => `applied  ${each}`), ...deleted.map((each) => `deleted  ${each}`)],
    notes: [applied.kept ? `the other changes wait: paddock job review ${id}` : 'everything is in the project, and the copy is deleted'],
    exitCode: applied.committed === false ? exitCodes.no : exitCodes.done,
  }
}

function mergedAnswer(merged: z.output<typeof mergedSchema>, id: string): Answer<Result<'job apply'>> {
  const { kept, directory, name } = merged
  return {
    data: merged,
    lines: mergedLines(merged),
    notes: [kept ? `its work tree stays in ${directory}: paddock job review ${id}` : `the work tree ${name} is deleted`],
  }
}

/** Runs `paddock job discard`. */
export async function discardJob(id: string, options: ServerOptions): Promise<Answer<Result<'job discard'>>> {
  const discarded = answered(await connectServer(options).POST('/api/v1/jobs/{job}/discard', { params: { path: { job: id } } }))
  if (!('directory' in discarded)) return { data: discarded, lines: [`The copy of ${id} is deleted.`] }
  const { name, project, commit } = discarded
  const undo = commit === null ? '' : ` To restore the branch, run: git -C ${shellWord(project)} branch ${name} ${commit.slice(0, 10)}`
  return { data: discarded, lines: [`The work tree of ${id} and its branch are deleted.${undo}`] }
}
