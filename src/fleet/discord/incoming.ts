import type { AuditSink } from '../../audit/event.ts'
import { messageOf, PaddockError } from '../../base/errors.ts'
import type { Fleet } from '../fleet.ts'
import type { Agent } from '../store/agent-store.ts'
import type { PostAbout } from '../store/discord-posts.ts'
import type { DiscordChannel } from '../store/discord-store.ts'
import type { AgentNow } from '../views.ts'
import { commandIn } from './command.ts'
import type { AgentAccess } from './discord-access.ts'
import { code } from './discord-markdown.ts'
import { type DiscordMessage, messageSchema, standingOf, textFor } from './discord-message.ts'
import { type Refusals, refusals } from './refusals.ts'
import { acceptedPost, emptyPost, helpPost, refusalPost, statusPost } from './reply-posts.ts'
import { timeOf } from './snowflake.ts'

export interface IncomingDeps {
  readonly fleet: Pick<Fleet, 'agents' | 'jobs' | 'now' | 'discord'>
  readonly access: AgentAccess
  readonly audit: AuditSink
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
}

export interface Incoming {
  /** Carries out a message or ignores it; a message that arrives again has no effect. */
  take(bot: string, data: unknown): Promise<void>
  /** The number of messages that were carried out since the server started. */
  readonly taken: number
  readonly refused: Refusals['counts']
}

/** The answer to a message. */
interface Answer {
  readonly content: string
  /** The subject of replies to this answer. */
  readonly job?: string
  /** Whether a post reports the end of that job. */
  readonly isFollowed?: boolean
}

/** The age in milliseconds above which a message is not carried out. Until then, Paddock remembers which messages were. */
const oldestMs = 24 * 3_600_000
/** The most queued jobs of an agent. A channel cannot add more. */
const mostQueued = 50

/** Returns the reader for channel messages. */
export function incomingMessages({ fleet, access, audit, warn, now }: IncomingDeps): Incoming {
  const { store, posts, work, transaction } = fleet.discord
  const refused = refusals(audit, now)
  let taken = 0

  /** Carries out a message and returns the answer. Actions that cannot be repeated safely are recorded before they are carried out. */
  const carryOut = async (message: DiscordMessage, channel: DiscordChannel, agent: Agent, text: string): Promise<Answer> => {
    const about = aboutOf(message, channel)
    const command = commandIn(text, about)
    const by = { name: `discord:${message.author.id}`, key: `discord-${message.id}` }
    const log = (kind: string, data: Readonly<Record<string, unknown>>): void =>
      audit({ kind: `discord.${kind}`, actor: by.name, data: { agent: agent.name, channel: channel.id, message: message.id, ...data } })
    switch (command.kind) {
      case 'help':
        return { content: helpPost(agent.name) }
      case 'empty':
        return { content: emptyPost }
      case 'status': {
        const [now, questions] = [fleet.now([agent]), await access.questions(agent, true)]
        const states = ['running', 'waiting', 'queued'] as const
        const jobs = states.flatMap((state) => fleet.jobs.list({ agent: agent.id, state }, { before: null, limit: 10 }))
        const own = jobs.filter(({ lease }) => lease === null)
        return { content: statusPost(agent.name, now[0] as AgentNow, own, questions) }
      }
      case 'stop': {
        work.take(message.id, timeOf(message.id))
        const job = await access.stop(agent, command.job)
        log('stop', { job })
        return { content: `Job ${code(job)} is being ended.`, job }
      }
      case 'answer': {
        work.take(message.id, timeOf(message.id))
        const done = await access.answer(agent, command.question, command.text, by.name)
        log('answer', { question: command.question })
        return { content: `Question ${code(command.question)}: ${done}.` }
      }
      default: {
        const queued = fleet.jobs.list({ agent: agent.id, state: 'queued' }, { before: null, limit: mostQueued })
        if (queued.length >= mostQueued)
          throw new PaddockError('BUSY', `${mostQueued} jobs of ${agent.name} are queued, which is the maximum.`)
        const wasMessage = command.kind === 'message'
        const job = wasMessage ? await access.message(agent, command.job, command.prompt, by) : await access.give(agent, command.prompt, by)
        log('job', { job: job.id })
        const content = acceptedPost(job.id, { wasMessage, hasAttachments: message.attachments.length > 0 })
        return { content, job: job.id, isFollowed: true }
      }
    }
  }
  const aboutOf = ({ message_reference: reference }: DiscordMessage, channel: DiscordChannel): PostAbout | null =>
    reference?.message_id === undefined ? null : posts.about(channel.id, reference.message_id)

  return {
    async take(bot, data) {
      const parsed = messageSchema.safeParse(data)
      if (!parsed.success) return
      const message = parsed.data
      // The response to the request may be lost, or arrive after a user's reply.
      if (message.author.id === bot && message.nonce != null) posts.arrived(message.channel_id, String(message.nonce), message.id)
      const channel = store.channel(message.channel_id)
      const isOwn = (id: string): boolean => posts.isOwn(message.channel_id, id)
      const standing = standingOf(message, { bot, users: channel?.users ?? null, isOwn })
      if (standing === 'others') return
      if (channel === null || standing !== 'taken') return refused.note(standing === 'taken' ? 'channel' : standing, message)
      const agent = fleet.agents.get(channel.agent)
      if (agent === null || work.isTaken(message.id) || timeOf(message.id) < now() - oldestMs) return
      let answer: Answer
      try {
        answer = await carryOut(message, channel, agent, textFor(bot, message.content))
      } catch (error) {
        const code = (error as { readonly code?: unknown }).code
        // Nothing can be recorded, so the message must be sent again.
        if (code === 'FILES_FAILED' || code === 'ERR_SQLITE_ERROR') throw error
        const isExpected = typeof code === 'string'
        if (!isExpected) warn(`a message from Discord could not be handled: ${messageOf(error)}`, { message: message.id })
        answer = { content: refusalPost(isExpected ? messageOf(error) : 'Paddock could not do it; the log of the server says why.') }
      }
      transaction(() => {
        const { content, job, isFollowed = false } = answer
        if (job !== undefined && isFollowed) work.follow(job, channel.id, message.id)
        const about = job === undefined ? null : { job }
        posts.add({ key: `answer ${message.id}`, channel: channel.id, about, replyTo: message.id, content, file: null })
        work.take(message.id, timeOf(message.id))
        store.read(channel.id, message.id)
      })
      work.forget(now() - 2 * oldestMs)
      taken++
    },
    get taken() {
      return taken
    },
    refused: refused.counts,
  }
}
