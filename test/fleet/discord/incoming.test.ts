import { expect, onTestFinished, test } from 'vitest'
import type { AuditEvent } from '../../../src/audit/event.ts'
import { PaddockError } from '../../../src/base/errors.ts'
import type { AgentAccess } from '../../../src/fleet/discord/discord-access.ts'
import { incomingMessages } from '../../../src/fleet/discord/incoming.ts'
import { idAt } from '../../../src/fleet/discord/snowflake.ts'
import type { Agent } from '../../../src/fleet/store/agent-store.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'

const [bot, user, channel] = ['1153725998765432109', '80351110224678912', '1153726112345678901'] as const
const start = Date.parse('2026-03-01T10:00:00Z')

async function stage() {
  const opened = await openTestStore()
  onTestFinished(() => opened[Symbol.dispose]())
  const { agents, jobs: queue, discord } = opened
  const agent = agents.create({ name: 'worker', agent: 'command', command: ['true'] } as never, null)
  discord.store.setChannel({ id: channel, agent: agent.id, users: [user], readTo: '1' })
  const [asked, audited]: [string[], AuditEvent[]] = [[], []]
  const trouble: { next: unknown } = { next: null }
  const clock = { ms: start }
  const access = {
    async give(to, prompt, { name, key }) {
      asked.push(key)
      return queue.put({ ...plainJob, agent: to.id, prompt, requestedBy: name, idempotencyKey: key }).job
    },
    async stop() {
      asked.push('stop')
      return 'j-0123456789abcdefghjk'
    },
  } as Partial<AgentAccess> as AgentAccess
  /** Fails once like a full disk, when the answer is stored. */
  const transaction: typeof discord.transaction = (work) => {
    const { next } = trouble
    trouble.next = null
    if (next !== null) throw next
    return discord.transaction(work)
  }
  const now = (all: readonly Agent[]) => all.map((agent) => ({ agent, state: 'idle', running: 0, queued: 0, problem: null }) as const)
  const make = () =>
    incomingMessages({
      fleet: { agents, jobs: queue, now, discord: { ...discord, transaction } },
      access,
      audit: (event) => void audited.push(event),
      warn: () => undefined,
      now: () => clock.ms,
    })
  const message = (content: string, ms = start, more = {}) => ({
    ...{ id: String(BigInt(idAt(ms)) + 1n), channel_id: channel, type: 0, author: { id: user }, content: `<@${bot}> ${content}` },
    ...{ mentions: [{ id: bot }], attachments: [], ...more },
  })
  const jobs = () => queue.list({}, { before: null, limit: 100 })
  return { ...opened, agent, clock, asked, audited, trouble, make, message, jobs, posts: discord.posts }
}

test('a prompt whose job was given, but not written down here, comes again and has one job and one answer', async () => {
  const { make, message, trouble, asked, jobs, posts } = await stage()
  trouble.next = new PaddockError('FILES_FAILED', 'The disk is full.')
  const prompt = message('do it')
  await expect(make().take(bot, prompt)).rejects.toThrow('The disk is full.')
  expect(posts.counts(channel).waiting).toBe(0)
  const next = make()
  for (let times = 0; times < 3; times++) await next.take(bot, prompt)
  expect(asked).toEqual([`discord-${prompt.id}`, `discord-${prompt.id}`])
  expect(await jobs()).toHaveLength(1)
  expect(posts.counts(channel).waiting).toBe(1)
})

test('a message whose repetition would do harm is handled at most once', async () => {
  const { make, message, trouble, asked } = await stage()
  trouble.next = new PaddockError('FILES_FAILED', 'The disk is full.')
  await expect(make().take(bot, message('stop'))).rejects.toThrow('The disk is full.')
  await make().take(bot, message('stop'))
  expect(asked).toEqual(['stop'])
})

test('a message of a day before is not carried out, and at most 50 jobs wait', async () => {
  const { make, message, jobs, posts, clock } = await stage()
  const incoming = make()
  await incoming.take(bot, message('old', start - 24 * 3_600_000 - 1))
  expect(await jobs()).toEqual([])
  for (let index = 0; index < 51; index++) await incoming.take(bot, message(`prompt ${index}`, start + index))
  expect(await jobs()).toHaveLength(50)
  expect(posts.counts(channel).waiting).toBe(51)
  // Messages that were forgotten are too old to be carried out.
  clock.ms += 3 * 24 * 3_600_000
  await incoming.take(bot, message('late', clock.ms))
  await incoming.take(bot, message('prompt 1', start + 1))
  expect(await jobs()).toHaveLength(50)
  expect(incoming.taken).toBe(52)
})

test('anything but a message has no effect', async () => {
  const { make, message, jobs, audited } = await stage()
  const incoming = make()
  for (const each of [
    null,
    1,
    'x',
    [],
    {},
    message('x', start, { id: '1' }),
    message('x', start, { author: null }),
    message('x', start, { type: '0' }),
  ])
    await incoming.take(bot, each)
  expect([await jobs(), audited]).toEqual([[], []])
})
