import { messageOf } from '../../base/errors.ts'
import type { Fleet } from '../fleet.ts'
import type { DiscordChannel } from '../store/discord-store.ts'
import type { AgentAccess } from './discord-access.ts'
import { questionPost } from './question-post.ts'
import { resultPost } from './result-post.ts'

export interface OutgoingDeps {
  readonly fleet: Pick<Fleet, 'agents' | 'jobs' | 'events' | 'discord' | 'paused'>
  readonly access: Pick<AgentAccess, 'questions'>
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
}

/** Milliseconds between checks for questions: of agents while a job waits, and of cells, where each check starts a process. */
const [jobsMs, cellsMs] = [1_000, 5_000]

/** Queues posts for the channels: the ends of jobs that were given there, and questions. Stops when disposed. */
export function followWork({ fleet, access, warn }: OutgoingDeps): Disposable {
  const { store, posts, work, transaction } = fleet.discord
  let [isClosed, isLooking, again]: boolean[] = [false, false, false]
  let timer: NodeJS.Timeout | undefined
  let cellsAt = 0

  const ends = async (): Promise<void> => {
    for (const { job: id, channel, message } of work.ended()) {
      const job = fleet.jobs.get(id)
      const agent = job?.agent == null ? null : fleet.agents.get(job.agent)
      const next = job?.state === 'interrupted' ? work.follower(id) : null
      transaction(() => {
        if (next !== null) return work.replace(id, next)
        if (job !== null && agent !== null)
          posts.add({ key: `end ${id}`, channel, about: { job: id }, replyTo: message, ...resultPost(job, agent.name) })
        work.told(id)
      })
    }
  }
  /** Posts new questions, and returns whether any of the agent's jobs is waiting. */
  const questions = async (channel: DiscordChannel, cells: boolean): Promise<boolean> => {
    const agent = fleet.agents.get(channel.agent)
    if (agent === null) return false
    const waiting = fleet.jobs.list({ agent: agent.id, state: 'waiting' }, { before: null, limit: 1 })
    const asked = await access.questions(agent, cells && waiting.length > 0)
    for (const each of asked) {
      const [key, about] = [`question ${each.id}`, { question: each.id, job: each.job }]
      if (posts.has(key)) continue
      posts.add({ key, channel: channel.id, about, replyTo: null, content: questionPost(each, agent.name), file: null })
    }
    return waiting.length > 0 || asked.length > 0
  }
  const look = async (): Promise<void> => {
    const channels = store.channels()
    // Without a bot, and in a pause, nothing is queued: questions would be outdated by the time a bot connects, and ends of jobs stay pending.
    if (channels.length === 0 || store.bot() === null || fleet.paused() !== null) return
    await ends()
    const cells = Math.abs(Date.now() - cellsAt) >= cellsMs
    let waits = false
    for (const each of channels) if (await questions(each, cells)) waits = true
    if (cells && waits) cellsAt = Date.now()
    if (waits && !isClosed) timer = setTimeout(wake, jobsMs).unref()
  }
  const wake = (): void => {
    clearTimeout(timer)
    if (isClosed) return
    if (isLooking) {
      again = true
      return
    }
    isLooking = true
    // Several wake-ups from one change lead to a single check.
    setImmediate(() => {
      again = false
      look()
        .catch((error: unknown) => {
          if (isClosed) return
          warn(`messages for Discord could not be read: ${messageOf(error)}`, {})
          timer = setTimeout(wake, cellsMs).unref()
        })
        .finally(() => {
          isLooking = false
          if (again) wake()
        })
    })
  }
  const unlisten = fleet.events.onGrowth(wake)
  wake()
  return {
    [Symbol.dispose]() {
      isClosed = true
      unlisten()
      clearTimeout(timer)
    },
  }
}
