import { exitCodes, PaddockError } from '../../../errors.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/answer.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'

interface ApplyOptions extends ServerOptions {
  readonly runLater?: boolean
  readonly allowSecrets?: boolean
  readonly commit?: boolean
  readonly message?: string
}

/** `paddock job review`: shows the copy of a job as `paddock review` does. The server and its copies are on this machine. */
export async function reviewJob(id: string, options: ServerOptions & { readonly stat?: boolean }): Promise<Answer<Result<'review'>>> {
  const job = answered(await connectServer(options).GET('/api/v1/jobs/{job}', { params: { path: { job: id } } }))
  const copy = job.result?.copy ?? null
  if (copy === null)
    throw new PaddockError('NOT_FOUND', `The job ${id} has no copy of a project to review.`, {
      hint: 'Only jobs of agents with workspace: { copy: PROJECT } have one, if they changed something',
    })
  const { reviewCommand } = await import('../../copy/review.ts')
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
        ...(options.commit === true ? { commit: options.message === undefined ? {} : { message: options.message } } : {}),
      },
    }),
  )
  const { written = [], deleted = [] } = applied as { readonly written?: readonly string[]; readonly deleted?: readonly string[] }
  return {
    data: applied,
    lines: [...written.map((each) => `applied  ${each}`), ...deleted.map((each) => `deleted  ${each}`)],
    notes: [applied.kept ? `the other changes wait: paddock job review ${id}` : 'everything is in the project, and the copy is deleted'],
    exitCode: applied.committed === false ? exitCodes.no : exitCodes.done,
  }
}

/** Runs `paddock job discard`. */
export async function discardJob(id: string, options: ServerOptions): Promise<Answer<Result<'job discard'>>> {
  const discarded = answered(await connectServer(options).POST('/api/v1/jobs/{job}/discard', { params: { path: { job: id } } }))
  return { data: discarded, lines: [`The copy of ${id} is deleted.`] }
}
