import type { Post } from '../store/discord-posts.ts'

/** A request was not carried out; the message is one sentence, without a word of the other side's. */
export class RestTrouble extends Error {
  /** Milliseconds to wait for; null: as after other failures. */
  readonly retryAfter: number | null
  /** `token`: it is not valid any more. `request`: it will never be taken. */
  readonly kind: 'later' | 'token' | 'request'

  constructor(message: string, kind: RestTrouble['kind'] = 'later', retryAfter: number | null = null) {
    super(message)
    this.kind = kind
    this.retryAfter = retryAfter
  }
}

/** The requests that a fleet makes at Discord. Each throws `RestTrouble`. */
export interface DiscordRest extends Disposable {
  /** Who the token is of. */
  me(): Promise<{ readonly id: string; readonly name: string }>
  gateway(): Promise<string>
  /** Returns the id of the message. The same nonce again within minutes is the same message. */
  post(post: Pick<Post, 'channel' | 'content' | 'file' | 'replyTo' | 'nonce'>): Promise<string>
  /** Messages of a channel after one, at most 100, as Discord sends them. */
  messagesAfter(channel: string, message: string): Promise<{ readonly id: string }[]>
}
