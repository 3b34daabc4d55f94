import { randomBytes } from 'node:crypto'
import type { FleetDatabase } from './database.ts'

/** The subject of replies to a post. */
export type PostAbout = { readonly job: string } | { readonly question: string; readonly job: string }

/** A message that the bot should post. */
export interface NewPost {
  /** The key of the post. A second post with the same key is ignored. */
  readonly key: string
  readonly channel: string
  readonly about: PostAbout | null
  /** The message that the post answers, or null. */
  readonly replyTo: string | null
  readonly content: string
  readonly file: { readonly name: string; readonly text: string } | null
}

export interface Post extends NewPost {
  readonly number: number
  /** The value by which Discord recognizes a repeated post. */
  readonly nonce: string
  readonly attempts: number
  /** The time of the next attempt, in milliseconds since the epoch. */
  readonly dueAt: number
}

/** The numbers of posts in a channel. */
export interface PostCounts {
  readonly waiting: number
  readonly posted: number
  readonly givenUp: number
  /** The reason why the last attempt of a waiting post, or the last abandoned post, failed; null if none failed. */
  readonly problem: string | null
}

export interface DiscordPosts {
  /** Adds a post at the end of its channel's queue, unless a post with its key exists. */
  add(post: NewPost): void
  has(key: string): boolean
  /** Returns the oldest waiting post of each channel. */
  next(): readonly Post[]
  /** Records that Discord accepted a post as this message. */
  posted(number: number, message: string): void
  /** Records that a message of the bot arrived: Discord has accepted the waiting post with this nonce. */
  arrived(channel: string, nonce: string, message: string): void
  /** Schedules another attempt. `attempts`: the failed ones so far. */
  failed(number: number, problem: string, dueAt: number, attempts: number): void
  giveUp(number: number, problem: string): void
  /** Abandons all waiting posts. */
  giveUpAll(problem: string): void
  /** Returns the subject of a message of the bot in a channel, or null if the subject is not known. */
  about(channel: string, message: string): PostAbout | null
  /** Returns whether the bot wrote this message, according to the records. */
  isOwn(channel: string, message: string): boolean
  counts(channel: string): PostCounts
  /** Retries waiting posts immediately. */
  hurry(channel?: string): void
}

/** The most waiting posts of a channel. The oldest ones above this number are abandoned. */
const mostWaiting = 200
/** The most recorded posts of a channel, which are kept so that replies to them are understood. */
const mostKept = 1_000

type Row = Omit<Post, 'about' | 'file'> & { readonly about: string | null; readonly fileName: string | null; readonly file: string | null }

export function discordPosts({ sql, transaction }: FleetDatabase, now: () => Date = () => new Date()): DiscordPosts {
  const of = (row: unknown): Post => {
    const { about, fileName, file, ...rest } = row as Row
    return {
      ...rest,
      about: about === null ? null : (JSON.parse(about) as PostAbout),
      file: fileName === null || file === null ? null : { name: fileName, text: file },
    }
  }
  /** Records the end of a post. The post was sent or abandoned, so only its subject is still needed. */
  const done = (number: number, state: 'posted' | 'given-up', message: string | null, problem: string | null): void =>
    void sql(
      "UPDATE discord_posts SET state = ?, message = ?, problem = ?, content = '', file = NULL, at = ? WHERE number = ? AND state = 'waiting'",
    ).run(...[state, message, problem, now().toISOString(), number])
  return {
    add({ key, channel, about, replyTo, content, file }) {
      transaction(() => {
        sql(
          `INSERT INTO discord_posts (key, channel, about, reply_to, content, file_name, file, nonce, state, at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?) ON CONFLICT (key) DO NOTHING`,
        ).run(
          ...[key, channel, about === null ? null : JSON.stringify(about), replyTo, content],
          ...[file?.name ?? null, file?.text ?? null, randomBytes(12).toString('hex'), now().toISOString()],
        )
        const over = sql(
          `SELECT number FROM discord_posts WHERE channel = ? AND state = 'waiting' ORDER BY number DESC LIMIT -1 OFFSET ${mostWaiting}`,
        ).all(channel)
        for (const { number } of over) done(Number(number), 'given-up', null, `More than ${mostWaiting} posts waited.`)
        sql(
          `DELETE FROM discord_posts WHERE channel = ?1 AND state <> 'waiting' AND number <=
             (SELECT number FROM discord_posts WHERE channel = ?1 ORDER BY number DESC LIMIT 1 OFFSET ${mostKept})`,
        ).run(channel)
      })
    },
    has: (key) => sql('SELECT 1 FROM discord_posts WHERE key = ?').get(key) !== undefined,
    next: () =>
      sql(
        `SELECT number, key, channel, about, reply_to AS replyTo, content, file_name AS fileName, file, nonce, attempts, due_at AS dueAt
         FROM discord_posts WHERE number IN (SELECT min(number) FROM discord_posts WHERE state = 'waiting' GROUP BY channel) ORDER BY number`,
      )
        .all()
        .map(of),
    posted: (number, message) => done(number, 'posted', message, null),
    arrived(channel, nonce, message) {
      const number = sql('SELECT number FROM discord_posts WHERE channel = ? AND nonce = ?').get(channel, nonce)?.['number']
      if (number !== undefined) done(Number(number), 'posted', message, null)
    },
    giveUp: (number, problem) => done(number, 'given-up', null, problem),
    giveUpAll: (problem) =>
      transaction(() => {
        for (const { number } of sql("SELECT number FROM discord_posts WHERE state = 'waiting'").all())
          done(Number(number), 'given-up', null, problem)
      }),
    failed: (number, problem, dueAt, attempts) =>
      void sql("UPDATE discord_posts SET attempts = ?, problem = ?, due_at = ? WHERE number = ? AND state = 'waiting'").run(
        ...[attempts, problem, Math.round(dueAt), number],
      ),
    about(channel, message) {
      const text = sql('SELECT about FROM discord_posts WHERE message = ? AND channel = ?').get(message, channel)?.['about']
      return typeof text === 'string' ? (JSON.parse(text) as PostAbout) : null
    },
    isOwn: (channel, message) => sql('SELECT 1 FROM discord_posts WHERE message = ? AND channel = ?').get(message, channel) !== undefined,
    counts(channel) {
      const count = (state: string): number =>
        Number(sql('SELECT count(*) AS count FROM discord_posts WHERE channel = ? AND state = ?').get(channel, state)?.['count'])
      const trouble = sql(
        `SELECT problem FROM discord_posts WHERE channel = ? AND problem IS NOT NULL ORDER BY state = 'waiting' DESC, number DESC LIMIT 1`,
      ).get(channel)
      return {
        ...{ waiting: count('waiting'), posted: count('posted'), givenUp: count('given-up') },
        problem: (trouble?.['problem'] as string | undefined) ?? null,
      }
    },
    hurry: (channel) =>
      void (channel === undefined
        ? sql("UPDATE discord_posts SET due_at = 0 WHERE state = 'waiting'").run()
        : sql("UPDATE discord_posts SET due_at = 0 WHERE state = 'waiting' AND channel = ?").run(channel)),
  }
}
