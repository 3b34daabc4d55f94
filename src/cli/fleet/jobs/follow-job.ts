import { exitCodes } from '../../../base/errors.ts'
import type { components } from '../../../client/api.ts'
import type { ApiClient } from '../../../client/api-client.ts'
import { eventLines } from '../../run/event-lines.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { answered } from '../connect.ts'
import { followJob } from './follow-events.ts'
import { endLines, type Job } from './job-lines.ts'

type WholeJob = components['schemas']['WholeJob']

/** Prints the events of a job until it ends, and returns the job. */
export async function followed(client: ApiClient, id: string, json: boolean): Promise<Answer<WholeJob>> {
  for await (const event of followJob(client, id)) {
    if (json) process.stdout.write(`${JSON.stringify(event)}\n`)
    else for (const line of eventLines(event, Date.now())) process.stdout.write(`${line}\n`)
  }
  return { ...endAnswer(await jobOf(client, id)), isLine: true }
}

export async function jobOf(client: ApiClient, id: string): Promise<WholeJob> {
  return answered(await client.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } }))
}

/** Returns a job after it has ended. */
export function endAnswer(job: WholeJob): Answer<WholeJob> {
  return { data: job, notes: endLines(job), exitCode: exitCodeOf(job) }
}

function exitCodeOf({ state, result }: Job): number {
  if (state === 'done') return exitCodes.done
  if (state === 'cancelled') return exitCodes.cancelled
  return result?.outcome.kind === 'out-of-time' ? exitCodes.timedOut : exitCodes.no
}
