import { expect, onTestFinished, test } from 'vitest'
import { startPosting } from '../../../src/fleet/discord/posting.ts'
import { refusals } from '../../../src/fleet/discord/refusals.ts'
import { RestTrouble } from '../../../src/fleet/discord/rest-trouble.ts'
import type { NewPost, Post } from '../../../src/fleet/store/discord-posts.ts'
import { openTestStore } from '../../support/fleet-store.ts'

type Send = (post: Pick<Post, 'channel' | 'content' | 'nonce'>) => Promise<string>
const [one, two] = ['1153726112345678901', '1153726112345678902']

/** Two agents with their channels, a queue, and a clock that the test controls. */
async function stage(send: Send) {
  const opened = await openTestStore()
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') }
  const refused: string[] = []
  const { discord, agents } = opened
  for (const [index, id] of [one, two].entries()) {
    const agent = agents.create({ name: `a${index}`, agent: 'command', command: ['true'] } as never, null)
    discord.store.setChannel({ id, agent: agent.id, users: ['80351110224678912'], readTo: '1' })
  }
  const tries: string[] = []
  const post: Send = async (each) => {
    tries.push(each.content)
    return send(each)
  }
  const start = () =>
    startPosting({
      posts: discord.posts,
      rest: { post },
      events: opened.events,
      warn: () => undefined,
      onRefused: (why) => void refused.push(why),
      now: () => clock.ms,
    })
  const posting = start()
  onTestFinished(() => {
    posting[Symbol.dispose]()
    opened[Symbol.dispose]()
  })
  const add = (content: string, more: Partial<NewPost> = {}): void => {
    discord.posts.add({ key: `k ${content}`, channel: one, about: null, replyTo: null, content, file: null, ...more })
    posting.ring()
  }
  return { ...opened, posts: discord.posts, clock, posting, add, tries, refused }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('posts of a channel are sent in order, one at a time, and those of another do not wait for them', async () => {
  const held = Promise.withResolvers<string>()
  const { add, tries, posts } = await stage(async ({ content }) => (content === 'a' ? held.promise : `9${content.charCodeAt(0)}`))
  add('a')
  add('b')
  add('x', { channel: two })
  await until(() => posts.counts(two).posted === 1)
  expect(tries).toEqual(['a', 'x'])
  held.resolve('97')
  await until(() => posts.counts(one).posted === 2)
  expect(tries).toEqual(['a', 'x', 'b'])
  expect(posts.isOwn(one, '97')).toBe(true)
  expect(posts.isOwn(two, '97')).toBe(false)
})

test('a failure is tried again with growing waits, then given up, and the next one is sent; a rate limit does not count as an attempt', async () => {
  const trouble = { now: new RestTrouble('Discord answered 503.') as RestTrouble | null }
  const { add, tries, posts, clock, posting } = await stage(async ({ content }) => {
    if (trouble.now !== null && content === 'lost') throw trouble.now
    return '1'
  })
  add('lost')
  add('next')
  const waits: number[] = []
  for (let attempts = 1; attempts <= 8; attempts++) {
    await until(() => (posts.next()[0]?.attempts ?? 9) >= attempts)
    waits.push((posts.next()[0]?.dueAt ?? 0) - clock.ms)
    if (attempts === 3) {
      trouble.now = new RestTrouble('Discord asks to wait (429).', 'later', 700)
      clock.ms += waits.at(-1) ?? 0
      posting.ring()
      await until(() => (posts.next()[0]?.dueAt ?? 0) === clock.ms + 700)
      expect(posts.next()[0]?.attempts).toBe(3)
      trouble.now = new RestTrouble('Discord answered 503.')
      clock.ms += 700
    } else clock.ms += waits.at(-1) ?? 0
    posting.ring()
  }
  await until(() => posts.counts(one).posted === 1)
  expect(waits.map((each) => each / 1000)).toEqual([2, 10, 60, 300, 1_800, 7_200, 28_800, 46_800])
  expect(tries.at(-1)).toBe('next')
  expect(posts.counts(one)).toEqual({ waiting: 0, posted: 1, givenUp: 1, problem: 'Discord answered 503.' })
})

test('a token that is refused ends posting; what waits stays', async () => {
  const { add, posts, refused, posting } = await stage(async () => {
    throw new RestTrouble('Discord refuses the token (401).', 'token')
  })
  add('a')
  await until(() => refused.length === 1)
  posting.ring()
  expect(refused).toEqual(['Discord refuses the token (401).'])
  expect(posts.counts(one)).toMatchObject({ waiting: 1, givenUp: 0 })
})

test('a key is one post, the queue is bounded, and the nonce of a post stays the same', async () => {
  const { add, posts, posting } = await stage(async () => {
    throw new RestTrouble('No answer within 15 s.')
  })
  add('a')
  const nonce = posts.next()[0]?.nonce
  add('b', { key: 'k a' })
  expect(posts.counts(one).waiting).toBe(1)
  await until(() => posts.next()[0]?.attempts === 1)
  expect(posts.next()[0]?.nonce).toBe(nonce)
  posting[Symbol.dispose]()
  for (let index = 0; index < 205; index++) add(`c${index}`)
  expect(posts.counts(one)).toMatchObject({ waiting: 200, givenUp: 6 })
  expect(posts.next()[0]?.content).toBe('c5')
})

test('strangers are counted, and in the log once for each hour', () => {
  const [lines, clock]: [string[], { ms: number }] = [[], { ms: 0 }]
  const { note, counts } = refusals(
    ({ actor = '' }) => void lines.push(actor),
    () => clock.ms,
  )
  const by = (id: string) => ({ author: { id }, channel_id: one, id: '1' }) as never
  for (let index = 0; index < 300; index++) note('user', by(String(index % 150)))
  expect([lines.length, counts.user]).toEqual([100, 300])
  clock.ms += 3_600_000
  note('program', by('7'))
  note('program', by('7'))
  expect([lines.at(-1), lines.length, counts.program]).toEqual(['discord:7', 101, 2])
})
