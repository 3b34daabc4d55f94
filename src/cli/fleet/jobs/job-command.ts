import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'
import { followJob } from './follow-events.ts'
import { endAnswer, followed, jobOf } from './follow-job.ts'
import { type Job, jobLines, jobTable } from './job-lines.ts'
import { type PromptOptions, promptFrom } from './prompt-from.ts'

/** Runs `paddock job change`. */
export async function changeJob(id: string, options: ServerOptions & PromptOptions): Promise<Answer<Job>> {
  const body = { prompt: await promptFrom(options) }
  const job = answered(await connectServer(options).PATCH('/api/v1/jobs/{job}', { params: { path: { job: id } }, body }))
  return { data: job, lines: [`${id} has a new prompt.`] }
}

/** Runs `paddock job watch`. */
export async function watchJob(id: string, options: ServerOptions): Promise<Answer<Result<'job watch'>>> {
  return followed(connectServer(options), id, options.json === true)
}

/** Runs `paddock job wait`. */
export async function waitForJob(id: string, options: ServerOptions): Promise<Answer<Result<'job wait'>>> {
  const client = connectServer(options)
  // The event stream ends with the job. A start after the highest possible number skips all events.
  for await (const _event of followJob(client, id, 999_999_999)) {
    // Only the end of the stream matters.
  }
  return endAnswer(await jobOf(client, id))
}

/** Runs `paddock job cancel`. */
export async function cancelJob(id: string, options: ServerOptions): Promise<Answer<Job>> {
  const job = answered(await connectServer(options).POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: id } } }))
  return { data: job, lines: [job.state === 'cancelled' ? `${id} is cancelled.` : `${id} is being cancelled.`] }
}

/** Runs `paddock job show`. */
export async function showJob(id: string, options: ServerOptions): Promise<Answer<Result<'job show'>>> {
  const job = await jobOf(connectServer(options), id)
  return { data: job, lines: jobLines(job) }
}

/** Runs `paddock job list`. */
export async function listJobs(
  options: ServerOptions & { readonly agent?: string; readonly state?: Job['state']; readonly limit: string },
): Promise<Answer<Result<'job list'>>> {
  const { agent, state, limit } = options
  const query = {
    limit: Number(limit),
    ...(agent === undefined ? {} : { agent }),
    ...(state === undefined ? {} : { state }),
  }
  const page = answered(await connectServer(options).GET('/api/v1/jobs', { params: { query } }))
  return { data: page, lines: jobTable(page.items) }
}
