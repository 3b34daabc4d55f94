import type { Post } from '../store/discord-posts.ts'

/** An error for a failed request. The message is one sentence and contains no text of the other side. */
export class RestTrouble extends Error {
  /** Milliseconds to wait; null for the same wait as after other failures. */
  readonly retryAfter: number | null
  /** `token`: the token is no longer valid. `request`: the request will never be accepted. */
  readonly kind: 'later' | 'token' | 'request'

  constructor(message: string, kind: RestTrouble['kind'] = 'later', retryAfter: number | null = null) {
    super(message)
    this.kind = kind
    this.retryAfter = retryAfter
  }
}

/** The requests that a fleet sends to Discord. Each throws `RestTrouble`. */
export interface DiscordRest extends Disposable {
  /** Returns the owner of the token. */
  me(): Promise<{ readonly id: string; readonly name: string }>
  gateway(): Promise<string>
  /** Posts a message and returns its id. A nonce repeated within some minutes denotes the same message. */
  post(post: Pick<Post, 'channel' | 'content' | 'file' | 'replyTo' | 'nonce'>): Promise<string>
  /** Returns at most 100 messages of a channel after a given one, in the form that Discord sends. */
  messagesAfter(channel: string, message: string): Promise<{ readonly id: string }[]>
}
