import type { components } from '../../client/api.ts'
import type { ApiClient } from '../../client/client.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { formatDuration } from '../../quantities.ts'
import { printable } from '../../text.ts'
import { eventLines, usageText } from '../run/event-lines.ts'
import { printJson, say } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { budgetFrom, budgetText } from './budget-amounts.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'
import { followJob } from './follow.ts'
import { promptFrom } from './prompt-from.ts'

export type Job = components['schemas']['Job']

interface GiveOptions extends ServerOptions {
  readonly prompt?: string
  readonly promptFile?: string
  readonly label?: readonly string[]
  readonly budget?: readonly string[]
  readonly detach?: boolean
  readonly key?: string
}

/** `paddock job run`: gives a job and, unless it is detached, follows it to its end. */
export async function runJob(agent: string | undefined, options: GiveOptions): Promise<number> {
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

/** `paddock job continue` */
export async function continueJob(id: string, options: GiveOptions): Promise<number> {
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

/** `paddock job message`: with `now`, the job that it waits for is ended. */
export async function messageJob(id: string, options: GiveOptions & { readonly now?: boolean }): Promise<number> {
  const prompt = await promptFrom(options)
  const client = connectServer(options)
  const job = answered(
    await client.POST('/api/v1/jobs/{job}/messages', {
      params: { path: { job: id }, header: options.key === undefined ? {} : { 'idempotency-key': options.key } },
      body: { prompt },
    }),
  )
  // One that begins by itself meanwhile needs nothing.
  if (options.now === true) await client.POST('/api/v1/jobs/{job}/send-now', { params: { path: { job: job.id } } })
  return given(client, job, options)
}

/** `paddock job change` */
export async function changeJob(id: string, options: ServerOptions & Pick<GiveOptions, 'prompt' | 'promptFile'>): Promise<number> {
  const body = { prompt: await promptFrom(options) }
  const job = answered(await connectServer(options).PATCH('/api/v1/jobs/{job}', { params: { path: { job: id } }, body }))
  if (options.json === true) printJson(job)
  else process.stdout.write(`${id} has another prompt.\n`)
  return exitCodes.done
}

/** `paddock job watch` */
export async function watchJob(id: string, options: ServerOptions): Promise<number> {
  return watched(connectServer(options), id, options)
}

/** `paddock job wait` */
export async function waitForJob(id: string, options: ServerOptions): Promise<number> {
  const client = connectServer(options)
  // Its events end with it; reading them from the newest possible number on reads none.
  for await (const _event of followJob(client, id, 999_999_999)) {
    // Only the end counts.
  }
  return ended(await jobOf(client, id), options)
}

/** `paddock job cancel` */
export async function cancelJob(id: string, options: ServerOptions): Promise<number> {
  const job = answered(await connectServer(options).POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: id } } }))
  if (options.json === true) printJson(job)
  else process.stdout.write(job.state === 'cancelled' ? `${id} is cancelled.\n` : `${id} is being cancelled.\n`)
  return exitCodes.done
}

/** `paddock job show` */
export async function showJob(id: string, options: ServerOptions): Promise<number> {
  const job = answered(await connectServer(options).GET('/api/v1/jobs/{job}', { params: { path: { job: id } } }))
  if (options.json === true) printJson(job)
  else for (const line of jobLines(job)) process.stdout.write(`${line}\n`)
  return exitCodes.done
}

/** `paddock job list` */
export async function listJobs(
  options: ServerOptions & { readonly agent?: string; readonly state?: string; readonly limit: string },
): Promise<number> {
  const { agent, state, limit } = options
  const query = {
    limit: Number(limit),
    ...(agent === undefined ? {} : { agent }),
    ...(state === undefined ? {} : { state: state as Job['state'] }),
  }
  const page = answered(await connectServer(options).GET('/api/v1/jobs', { params: { query } }))
  if (options.json === true) printJson(page)
  else {
    const rows = page.items.map((job) => [job.id, job.state, job.agent ?? '-', tookText(job), firstLine(job.promptStart)])
    for (const line of table(['JOB', 'STATE', 'AGENT', 'TIME', 'PROMPT'], rows)) process.stdout.write(`${line}\n`)
  }
  return exitCodes.done
}

async function given(client: ApiClient, job: Job, options: GiveOptions): Promise<number> {
  if (options.detach === true) {
    if (options.json === true) printJson(job)
    else process.stdout.write(`${job.id}\n`)
    return exitCodes.done
  }
  say(`job ${job.id}; it goes on without this command`)
  return watched(client, job.id, options)
}

async function watched(client: ApiClient, id: string, options: ServerOptions): Promise<number> {
  for await (const event of followJob(client, id)) {
    if (options.json === true) process.stdout.write(`${JSON.stringify(event)}\n`)
    else for (const line of eventLines(event, Date.now())) process.stdout.write(`${line}\n`)
  }
  return ended(await jobOf(client, id), options)
}

async function jobOf(client: ApiClient, id: string): Promise<components['schemas']['WholeJob']> {
  return answered(await client.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } }))
}

function ended(job: Job, options: ServerOptions): number {
  if (options.json === true) printJson(job)
  else for (const line of endLines(job)) say(line)
  if (job.state === 'done') return exitCodes.done
  if (job.state === 'cancelled') return exitCodes.cancelled
  return job.result?.outcome.kind === 'out-of-time' ? exitCodes.timedOut : exitCodes.no
}

function endLines({ id, state, result, problem }: Job): readonly string[] {
  const { message, hint } = result?.outcome ?? { message: problem, hint: null }
  const used = result === null ? null : usageText(result.usage, result.costUsd)
  const changes = result?.changes ?? null
  return [
    `job ${id} is ${state}${message === null ? '' : `: ${printable(message)}`}${hint === null ? '' : ` (${printable(hint)})`}`,
    ...(used === null ? [] : [`it used ${used}`]),
    ...(changes === null || changes.created.length + changes.modified.length === 0
      ? []
      : [`it changed ${counted(changes.created.length + changes.modified.length)}`]),
    ...(result?.copy == null ? [] : [`its changes wait for you: paddock job review ${id}`]),
    ...(result?.notes ?? []).map(printable),
  ]
}

function jobLines(job: components['schemas']['WholeJob']): readonly string[] {
  const { result } = job
  const changed = [
    ...(result?.changes?.created ?? []).map((each) => `  new       ${each}`),
    ...(result?.changes?.modified ?? []).map((each) => `  modified  ${each}`),
  ]
  return [
    `${job.id}  ${job.state}`,
    `agent     ${job.agent ?? 'any free one'}`,
    `given     ${job.createdAt} by ${printable(job.requestedBy)}`,
    ...(job.budget === null ? [] : [`budget    ${budgetText(job.budget)}`]),
    ...(job.startedAt === null ? [] : [`started   ${job.startedAt}`]),
    ...(job.endedAt === null ? [] : [`ended     ${job.endedAt} (${tookText(job)})`]),
    ...endLines(job).slice(1),
    'prompt',
    ...job.prompt.split('\n').map((line) => `  ${printable(line)}`),
    ...(result === null || result.text === '' ? [] : ['answer', ...result.text.split('\n').map((line) => `  ${printable(line)}`)]),
    ...(changed.length === 0 ? [] : ['files', ...changed.map(printable)]),
  ]
}

function tookText({ startedAt, endedAt }: Pick<Job, 'startedAt' | 'endedAt'>): string {
  if (startedAt === null) return '-'
  return formatDuration((endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(startedAt))
}

const counted = (files: number): string => (files === 1 ? '1 file' : `${files} files`)

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
