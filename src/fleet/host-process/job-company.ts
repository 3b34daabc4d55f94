import { parseDuration } from '../../base/quantities.ts'
import type { Meter } from '../budgets/meter.ts'
import type { Manifest } from '../manifest/manifest-schema.ts'
import type { Company, DelegateWish } from '../model/company.ts'
import type { ToolAnswer } from '../model/runner-client.ts'
import type { CallWish } from './calls.ts'
import type { JobHooks } from './job-means.ts'

/** The default time in milliseconds that a question waits for an answer. */
const usualMs = 3_600_000
/** The longest duration of a Node timer, in milliseconds. */
const longestMs = 2 ** 31 - 1
/** The longest prompt from one agent to another, in bytes. */
const mostPromptBytes = 256 * 1024
/** The longest call that a human can review, in characters; `/api/v1/inbox` shows the whole call. */
const mostReviewed = 8_000

export interface CompanyMeans {
  readonly manifest: Pick<Manifest, 'answerWithin' | 'delegates'>
  readonly hooks: Pick<JobHooks, 'call' | 'waiting'>
  readonly meter: Pick<Meter, 'left'>
}

/** Returns access to humans and other agents for a job, through the server. While the job waits, its state is `waiting`. */
export function jobCompany({ manifest, hooks, meter }: CompanyMeans): Company {
  const patience = Math.min(longestMs, parseDuration(manifest.answerWithin ?? '') ?? usualMs)
  let waiting = 0
  const wait = async (why: string, what: CallWish, signal: AbortSignal): Promise<ToolAnswer> => {
    if (waiting++ === 0) hooks.waiting(true, why)
    try {
      const { ok, text } = await hooks.call(what, signal)
      return { ok, text }
    } finally {
      if (--waiting === 0) hooks.waiting(false)
    }
  }
  /** Waits for an answer until the time limit. */
  const asked = async (why: string, what: (expiresAt: string) => CallWish, signal: AbortSignal): Promise<ToolAnswer> => {
    const late = AbortSignal.timeout(patience)
    try {
      return await wait(why, what(new Date(Date.now() + patience).toISOString()), AbortSignal.any([signal, late]))
    } catch (error) {
      if (signal.aborted || !late.aborted) throw error
      return { ok: false, text: 'Nobody answered in time.' }
    }
  }
  return {
    ask: (question, signal) => asked('It asks a question.', (expiresAt) => ({ type: 'ask', question, expiresAt }), signal),
    async allows(tool, input, signal) {
      if (input.length > mostReviewed)
        return { ok: false, text: `The call is too long for a human to review: the maximum is ${mostReviewed} characters.` }
      return asked(`It may call ${tool} only if somebody allows it.`, (expiresAt) => ({ type: 'allow', tool, input, expiresAt }), signal)
    },
    async delegate(wish: DelegateWish, signal) {
      const { agent, prompt, wait: isWaiting = true, job } = wish
      if (job !== undefined) return wait(`It waits for the job ${job}.`, { type: 'await', child: job }, signal)
      if (agent === undefined || prompt === undefined) return { ok: false, text: 'Give agent and prompt, or job.' }
      if (Buffer.byteLength(prompt) > mostPromptBytes) return { ok: false, text: 'The prompt is longer than 256 KiB.' }
      if (!(manifest.delegates ?? []).includes(agent))
        return { ok: false, text: `There is no agent ${agent} for you. Agents: ${(manifest.delegates ?? []).join(', ')}` }
      const what: CallWish = { type: 'delegate', agent, prompt, wait: isWaiting, limits: meter.left() }
      if (isWaiting) return wait(`It waits for ${agent}.`, what, signal)
      const { ok, text } = await hooks.call(what, signal)
      return { ok, text }
    },
  }
}
