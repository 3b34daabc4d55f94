import type { AgentEvent } from '../../adapters/output/agent-events.ts'
import type { Prices } from '../../config/budget.ts'
import { spentOf } from '../budgets/budget-spent.ts'
import { limitsAfter } from '../budgets/job-budget.ts'
import { Meter } from '../budgets/meter.ts'
import type { JobData } from '../data-directory.ts'
import { goOnPrompt } from '../jobs/go-on-prompt.ts'
import { TranscriptReader } from '../jobs/transcript-reader.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import type { Job, Jobs, NewJob } from '../store/job-records.ts'
import type { Used } from '../store/usage-store.ts'

/** The number of attempts after which a lost job is not restarted automatically. */
const mostAttempts = 3

/** Returns the job that a manifest makes follow a lost job, or null. `known`: the lost job's conversation. `used`: its use. */
export function followUp(
  job: Job,
  { restart = 'none' }: Pick<Manifest, 'restart'>,
  known: string | null,
  jobs: Pick<Jobs, 'prompt' | 'limits'>,
  used: Used | null,
): NewJob | null {
  if (restart === 'none' || job.attempt >= mostAttempts) return null
  const conversation = restart === 'continue' ? known : null
  const limits = limitsAfter(jobs.limits(job.id), spentOf(used))
  return {
    agent: job.agent,
    labels: job.labels,
    // Without a conversation to continue, the agent would not know its task.
    prompt: conversation === null ? jobs.prompt(job.id) : goOnPrompt,
    requestedBy: job.requestedBy,
    byOwner: job.byOwner,
    continues: job.id,
    conversation,
    attempt: job.attempt + 1,
    // If a second server finds the same lost job, the follow-up is still queued only once.
    idempotencyKey: `after ${job.id}`,
    ...(job.parent === null ? {} : { parent: job.parent }),
    ...(limits.length === 0 ? {} : { limits }),
  }
}

/** The facts that the transcript of a lost job contains. */
export interface Remains {
  readonly conversation: string | null
  /** Null if the job has no transcript. */
  readonly used: Used | null
}

/** `known`: the conversation that the job continues, or null. */
export async function remainsOf(files: JobData, known: string | null, prices: Prices): Promise<Remains> {
  const reader = new TranscriptReader(files.transcript)
  let at = 0
  const meter = new Meter({ limits: [], prices }, { near: () => undefined, usedUp: () => undefined }, () => at)
  let conversation = known
  let usage: Used['usage'] = null
  let toolCalls = 0
  let startedAt: string | null = null
  for (let after = 0; ; ) {
    const events = await reader.after(after, 1000)
    const last = events.at(-1)
    if (last === undefined) break
    for (const each of events) {
      at = Date.parse(each.at)
      if (startedAt === null) meter.start()
      startedAt ??= each.at
      // Only Paddock writes this file.
      const event = each as unknown as AgentEvent
      meter.event(event)
      if (event.type === 'conversation') conversation = event.id
      if (event.type === 'usage') usage = { ...event.usage }
      if (event.type === 'tool-call') toolCalls++
    }
    after = last.n
  }
  if (startedAt === null) return { conversation, used: null }
  meter.stop()
  const { usd: costUsd, turns, time: cellMs } = meter
  return { conversation, used: { usage, costUsd, toolCalls, turns, cellMs, startedAt, endedAt: new Date(at).toISOString() } }
}
