import * as z from 'zod'
import { PaddockError } from '../../base/errors.ts'
import { budgetSchema } from '../../config/budget.ts'
import { jobLimits } from '../../fleet/budgets/job-budget.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Capabilities } from '../../fleet/machine/capabilities.ts'
import { refuseUnheldBudget, refuseWhatCannotBe } from '../../fleet/machine/gate.ts'
import type { Agent } from '../../fleet/store/agent-store.ts'
import type { Job } from '../../fleet/store/job-records.ts'
import { type Caller, leaseOf } from '../access/caller.ts'
import { Refusal } from '../problem.ts'

const label = z.string().max(64)
export const newJob = z.strictObject({
  agent: z.string().max(100).optional().describe('The name or id of an agent; if absent, any free one with the labels.'),
  labels: z.array(label).max(32).default([]).describe('Labels that an agent must have to take the job, if no agent is named.'),
  prompt: z.string().min(1),
  budget: budgetSchema.optional().describe('What this job may use, within the budget of its agent. The job ends when either is used up.'),
  continues: z.string().max(64).optional().describe('A job of the same agent that has ended, whose conversation this one continues.'),
})
export const jobParams = z.object({ job: z.string().max(64).describe('Its id.') })
export const keyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, { error: 'must be 1 to 200 printable ASCII characters without spaces' })
    .optional()
    .describe('A second request with the same key returns the job of the first.'),
})

export interface GivingDeps {
  readonly fleet: Fleet
  readonly capabilities: () => Promise<Capabilities>
  /** The largest prompt, in bytes of UTF-8. */
  readonly maxPromptBytes: number
}

/** All ways to give prompts. */
export type Giving = ReturnType<typeof givingTo>

export function givingTo({ fleet, capabilities, maxPromptBytes }: GivingDeps) {
  /** Returns a job. A borrower finds only jobs of the lease. */
  const found = async (caller: Caller, id: string): Promise<Job> => {
    const [job, lease] = [fleet.jobs.get(id), leaseOf(caller)]
    if (job === null || (lease !== null && job.lease !== lease))
      throw new PaddockError('NOT_FOUND', `There is no job ${id}.`, { hint: 'Run: paddock job list' })
    return job
  }
  /** Returns the lent agent, which gets all jobs of the lease. A borrower does not learn about other agents. */
  const lentAgent = (id: string, named: string | undefined): Agent => {
    const agent = fleet.agents.get(fleet.leases.get(id)?.agent ?? '')
    if (agent !== null && (named === undefined || named === agent.name || named === agent.id)) return agent
    throw new PaddockError('NOT_FOUND', `There is no agent named ${named ?? 'by the lease'}.`, { hint: 'Leave agent out' })
  }
  const give = async (caller: Caller, wish: z.output<typeof newJob>, key: string | undefined): Promise<Job> => {
    refuseLargePrompt(wish.prompt, maxPromptBytes)
    const before = wish.continues === undefined ? null : continuable(await found(caller, wish.continues))
    const lease = leaseOf(caller)
    const named = wish.agent ?? before?.agent ?? null
    const agent = lease !== null ? lentAgent(lease, wish.agent) : named === null ? null : fleet.agents.find(named)
    if (before !== null && before.agent !== agent?.id)
      throw new PaddockError('BAD_INPUT', `The job ${before.id} is of another agent, whose conversation it is.`, {
        hint: 'Leave agent out',
      })
    if (agent !== null) {
      if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
      refuseOtherAdapter(before, agent)
      refuseWhatCannotBe(agent.manifest, await capabilities(), fleet.budgets)
    }
    if (wish.budget !== undefined)
      for (const { manifest } of agent === null ? withLabels(wish.labels, fleet.agents) : [agent])
        refuseUnheldBudget(wish.budget, manifest, await capabilities(), fleet.budgets)
    const { job } = fleet.give(
      {
        agent: agent?.id ?? null,
        labels: agent === null ? wish.labels : [],
        prompt: wish.prompt,
        requestedBy: caller.name,
        byOwner: caller.role === 'owner',
        lease,
        continues: before?.id ?? null,
        conversation: before?.conversation ?? null,
        idempotencyKey: keyOf(lease, key),
        ...(wish.budget === undefined ? {} : { limits: jobLimits(wish.budget) }),
      },
      { sender: caller },
    )
    return job
  }
  /** Sends a message to a job. The message starts when that job and the messages before it have ended. */
  const message = async (caller: Caller, id: string, prompt: string, key: string | undefined): Promise<Job> => {
    refuseLargePrompt(prompt, maxPromptBytes)
    const job = await found(caller, id)
    if (job.endedAt !== null) continuable(job)
    if (job.agent === null)
      throw new PaddockError('CONFLICT', `No agent has taken the job ${id} yet.`, { hint: `Change its prompt: paddock job change ${id}` })
    const agent = fleet.agents.find(job.agent)
    if (agent.archivedAt !== null) throw new PaddockError('CONFLICT', `${agent.name} is archived.`)
    refuseOtherAdapter(job, agent)
    if (agent.manifest.agent === 'command' || agent.manifest.agent === 'acp')
      throw new PaddockError('CONFLICT', `${agent.name} keeps no conversation that could be continued.`, {
        hint: 'Give a new job',
      })
    const given = fleet.give(
      {
        agent: agent.id,
        labels: [],
        prompt,
        requestedBy: caller.name,
        byOwner: caller.role === 'owner',
        continues: id,
        conversation: null,
        isMessage: true,
        idempotencyKey: keyOf(leaseOf(caller), key),
      },
      { sender: caller },
    )
    return given.job
  }
  const change = async (caller: Caller, id: string, prompt: string): Promise<Job> => {
    refuseLargePrompt(prompt, maxPromptBytes)
    return fleet.change(id, prompt, { sender: caller })
  }
  return {
    give,
    message,
    change,
    found,
    lentAgent,
    refuseLarge: (prompt: string): void => refuseLargePrompt(prompt, maxPromptBytes),
    // A character of a prompt takes up to six bytes in JSON.
    bodyLimit: 6 * maxPromptBytes + 64 * 1024,
  }
}

/** Returns the idempotency key. Keys of a lease are separate, because token names are reused. */
function keyOf(lease: string | null, key: string | undefined): string | null {
  if (key === undefined) return null
  return lease === null ? key : `${lease} ${key}`
}

function refuseLargePrompt(prompt: string, most: number): void {
  const bytes = Buffer.byteLength(prompt)
  if (bytes > most) throw new Refusal('TOO_LARGE', `The prompt has ${bytes} bytes; the maximum is ${most}.`)
}

/** Returns the agents that may take a job with these labels. */
function withLabels(labels: readonly string[], agents: Fleet['agents']): readonly Agent[] {
  const all = agents.list({ after: null, limit: Number.MAX_SAFE_INTEGER, archived: false })
  return all.filter(({ manifest }) => labels.every((each) => manifest.labels?.includes(each)))
}

/** Throws if the agent was edited and now uses another adapter. */
function refuseOtherAdapter(before: Job | null, { name, manifest }: Agent): void {
  if (before === null || before.adapter === null || before.adapter === manifest.agent) return
  throw new PaddockError('CONFLICT', `The conversation was with ${before.adapter}, and ${name} is ${manifest.agent} now.`, {
    hint: 'Give a new job',
  })
}

/** Returns the job if its conversation can continue, else throws. */
function continuable(job: Job): Job {
  if (job.endedAt === null)
    throw new PaddockError('CONFLICT', `The job ${job.id} has not ended.`, { hint: `Send it a message: paddock job message ${job.id}` })
  if (job.conversation === null)
    throw new PaddockError('CONFLICT', `The conversation of the job ${job.id} is not known, so it cannot be continued.`, {
      hint: 'Give a new job',
    })
  return job
}
