import { messageOf } from '../../errors.ts'
import type { DiscordPosts, Post } from '../store/discord-posts.ts'
import { type DiscordRest, RestTrouble } from './rest-trouble.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** Milliseconds after the first, the second, … failed attempt; after the last one, nearly a day later, Paddock gives up on a post. */
const waits = [2 * second, 10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 8 * hour, 13 * hour]
/** The longest time between two readings of the clock, in milliseconds: clocks are changed, and machines sleep. */
const longestMs = 30 * second

export interface PostingDeps {
  readonly posts: DiscordPosts
  readonly rest: Pick<DiscordRest, 'post'>
  readonly warn: (message: string, about: Readonly<Record<string, unknown>>) => void
  /** Called when the token is no longer valid. Nothing is posted after that. */
  readonly onRefused: (problem: string) => void
  readonly now: () => number
}

export interface Posting extends Disposable {
  /** Triggers a check for waiting posts. */
  wake(): void
}

/**
 * Sends waiting posts, one at a time and in order for each channel. A post counts as sent once that is recorded on the disk. A post in
 * transit when the server was killed is sent again with the same nonce, which Discord treats as the same message for some minutes.
 */
export function startPosting({ posts, rest, warn, onRefused, now }: PostingDeps): Posting {
  const busy = new Set<string>()
  let [isClosed, timer, waking]: [boolean, NodeJS.Timeout | undefined, NodeJS.Immediate | undefined] = [false, undefined, undefined]

  const write = async (post: Post): Promise<void> => {
    try {
      posts.posted(post.number, await rest.post(post))
    } catch (error) {
      if (isClosed) return
      if (!(error instanceof RestTrouble)) throw error
      const { message, kind, retryAfter } = error
      if (kind === 'token') {
        posts.failed(post.number, message, 0)
        isClosed = true
        return onRefused(message)
      }
      const wait = retryAfter ?? waits[post.attempts]
      if (kind === 'request' || wait === undefined) posts.giveUp(post.number, message)
      else posts.failed(post.number, message, now() + wait, retryAfter === null)
    }
  }
  const start = (post: Post): void => {
    const free = (): void => {
      busy.delete(post.channel)
      wake()
    }
    busy.add(post.channel)
    write(post).then(free, (error: unknown) => {
      if (isClosed) return
      warn(`a post for Discord could not be sent: ${messageOf(error)}`, { post: post.number })
      setTimeout(free, longestMs).unref()
    })
  }
  const look = (): void => {
    clearTimeout(timer)
    let next = longestMs
    for (const post of posts.next()) {
      if (busy.has(post.channel)) continue
      const left = post.dueAt - now()
      // A longer wait than any in the list means that the clock was set back.
      if (left > 0 && left <= 13 * hour) next = Math.min(next, left)
      else start(post)
    }
    timer = setTimeout(wake, next).unref()
  }
  const wake = (): void => {
    if (isClosed) return
    waking ??= setImmediate(() => {
      waking = undefined
      try {
        if (!isClosed) look()
      } catch (error) {
        warn(`posts for Discord could not be read: ${messageOf(error)}`, {})
        timer = setTimeout(wake, longestMs).unref()
      }
    })
  }
  wake()
  return {
    wake,
    [Symbol.dispose]() {
      isClosed = true
      clearTimeout(timer)
      if (waking !== undefined) clearImmediate(waking)
    },
  }
}
