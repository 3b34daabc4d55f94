import { type Outbox, openOutbox, type SendAnswer } from '../ordered-outbox.ts'
import type { DiscordPosts, Post } from '../store/discord-posts.ts'
import type { EventReader } from '../store/event-log.ts'
import { type DiscordRest, RestTrouble } from './rest-trouble.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** Milliseconds after the first, the second, … failed attempt; after the last one, nearly a day later, Paddock gives up on a post. */
const waits = [2 * second, 10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 13 * hour]

export interface PostingDeps {
  readonly posts: DiscordPosts
  readonly rest: Pick<DiscordRest, 'post'>
  readonly events: Pick<EventReader, 'onGrowth'>
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  /** Called when the token is no longer valid. Nothing is posted after that. */
  readonly onRefused: (problem: string) => void
  readonly now: () => number
}

interface Posted extends SendAnswer {
  /** The id of the message; null if Discord did not take the post. */
  readonly message: string | null
  readonly isRefused?: boolean
}

/** Sends waiting posts. One that is sent again has the same nonce, which Discord treats as the same message for some minutes. */
export function startPosting({ posts, rest, events, warn, onRefused, now }: PostingDeps): Pick<Outbox, 'ring'> & Disposable {
  const outbox: Outbox = openOutbox<Post & { readonly key: string }, Post, Posted>({
    what: 'a post for Discord',
    lines: () => posts.next().map((each) => ({ ...each, key: each.channel })),
    item: (post) => post,
    async send(_, post) {
      try {
        return { message: await rest.post(post), problem: null }
      } catch (error) {
        if (!(error instanceof RestTrouble)) throw error
        const { message: problem, kind, retryAfter } = error
        return { message: null, problem, retryAfter, isFinal: kind === 'request', isRefused: kind === 'token' }
      }
    },
    record(_, { number }, { message, problem, isRefused = false }, { attempts, nextAt }) {
      if (message !== null) posts.posted(number, message)
      else if (isRefused) {
        posts.failed(number, problem ?? '', 0, attempts)
        outbox[Symbol.dispose]()
        onRefused(problem ?? '')
      } else if (nextAt === null) posts.giveUp(number, problem ?? '')
      else posts.failed(number, problem ?? '', nextAt, attempts)
    },
    longestAskedMs: 13 * hour,
    ...{ waits, warn, now, log: events },
  })
  return outbox
}
