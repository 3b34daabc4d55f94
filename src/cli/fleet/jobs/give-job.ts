import { PaddockError } from '../../../base/errors.ts'
import type { ApiClient } from '../../../client/api-client.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { say } from '../../terminal/terminal-output.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'
import { budgetFrom } from './budget-amounts.ts'
import { followed } from './follow-job.ts'
import type { Job } from './job-lines.ts'
import { promptFrom } from './prompt-from.ts'

interface GiveOptions extends ServerOptions {
  readonly prompt?: string
  readonly promptFile?: string
  readonly label?: readonly string[]
  readonly budget?: readonly string[]
  readonly detach?: boolean
  readonly key?: string
}

/** `paddock job run`: submits a job and, unless it is detached, follows it until it ends. */
export async function runJob(agent: string | undefined, options: GiveOptions): Promise<Answer<Result<'job run'>>> {
  const labels = [...(options.label ?? [])]
  if (agent !== undefined && labels.length > 0)
    throw new PaddockError('BAD_INPUT', '--label has no effect with the name of an agent.', { hint: 'Leave one of them out' })
  const budget = budgetFrom(options.budget ?? [])
  const prompt = await promptFrom(options)
  const client = connectServer(options)
  const job = answered(
    await client.POST('/api/v1/jobs', {
      params: { header: options.key === undefined ? {} : { 'idempotency-key': options.key } },
      body: { ...(agent === undefined ? {} : { agent }), labels, prompt, ...(budget === null ? {} : { budget }) },
    }),
  )
  return given(client, job, options)
}

/** Runs `paddock job continue`. */
export async function continueJob(id: string, options: GiveOptions): Promise<Answer<Result<'job run'>>> {
  const prompt = await promptFrom(options)
  const client = connectServer(options)
  const job = answered(
    await client.POST('/api/v1/jobs/{job}/continue', {
      params: { path: { job: id }, header: options.key === undefined ? {} : { 'idempotency-key': options.key } },
      body: { prompt },
    }),
  )
  return given(client, job, options)
}

/** `paddock job message`: with `now`, ends the job that the message is waiting for. */
export async function messageJob(id: string, options: GiveOptions & { readonly now?: boolean }): Promise<Answer<Result<'job run'>>> {
  const prompt = await promptFrom(options)
  const client = connectServer(options)
  const job = answered(
    await client.POST('/api/v1/jobs/{job}/messages', {
      params: { path: { job: id }, header: options.key === undefined ? {} : { 'idempotency-key': options.key } },
      body: { prompt },
    }),
  )
  // The job may have started by itself meanwhile.
  if (options.now === true) await client.POST('/api/v1/jobs/{job}/send-now', { params: { path: { job: job.id } } })
  return given(client, job, options)
}

async function given(client: ApiClient, job: Job, { detach, json }: GiveOptions): Promise<Answer<Result<'job run'>>> {
  if (detach === true) return { data: job, isLine: true, lines: [job.id] }
  say(`job ${job.id}; it runs without this command`)
  return followed(client, job.id, json === true)
}
