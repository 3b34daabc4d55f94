import type { ListedJob } from '../jobs/listed-job.ts'
import { code, cut, longestMessage } from './discord-markdown.ts'
import type { AgentQuestion } from './question-post.ts'

/** Returns the answer to a message that gave a job. */
export function acceptedPost(
  job: string,
  { wasMessage, hasAttachments }: { readonly wasMessage: boolean; readonly hasAttachments: boolean },
) {
  const text = wasMessage ? `Message accepted, job ${code(job)}.` : `Job ${code(job)} is accepted.`
  return hasAttachments ? `${text} Attachments are not read.` : text
}

/** Returns the answer to `status`: the agent's current work and its open questions. */
export function statusPost(
  agent: string,
  state: { readonly state: string; readonly problem: string | null },
  jobs: readonly ListedJob[],
  questions: readonly AgentQuestion[],
): string {
  const lines = [
    `${code(agent)} is **${state.state}**${state.problem === null ? '' : `: ${code(cut(state.problem, 300))}`}`,
    ...jobs.map(({ id, state, promptStart }) => `${state} ${code(id)} ${code(cut(promptStart, 60))}`),
    ...questions.map(({ id, kind, text }) => `waits for you: ${code(id)} ${kind} ${code(cut(text, 60))}`),
    ...(jobs.length + questions.length === 0 ? ['No job is queued or running.'] : []),
  ]
  return cut(lines.join('\n'), longestMessage)
}

export const helpPost = (agent: string): string =>
  [
    `Mention me with a prompt, and ${code(agent)} works on it.`,
    '`status`: what it does, and what waits for an answer',
    '`stop` or `stop JOB`: ends a job',
    '`answer ID TEXT`, `answer ID allow`, `answer ID deny`: answers a question',
    'A reply to a question answers it; a reply to another of my posts continues its conversation.',
  ].join('\n')

export const emptyPost = 'I see the text of a reply only if it mentions me: reply again with the mention left on.'

/** Returns the answer to a request that was not carried out. */
export const refusalPost = (why: string): string => `Not done: ${code(cut(why, 1_500))}`
