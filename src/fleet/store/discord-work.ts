import type { FleetDatabase } from './database.ts'

/** A job that was given in a channel, and whose end has not been posted. */
export interface UntoldEnd {
  readonly job: string
  readonly channel: string
  /** The id of the message that gave the job. */
  readonly message: string
}

/** Records which messages were carried out, and which jobs they gave. */
export interface DiscordWork {
  /** Records a message, and returns true only the first time. `at`: when it was written, in milliseconds since the epoch. */
  take(message: string, at: number): boolean
  isTaken(message: string): boolean
  /** Deletes the records of messages that were written before this time. */
  forget(before: number): void
  /** Orders a post about the end of this job in a channel, as an answer to a message. */
  follow(job: string, channel: string, message: string): void
  /** Returns followed jobs that have ended, oldest first. */
  ended(): readonly UntoldEnd[]
  /** Records that the end of a job was posted, or need not be. */
  told(job: string): void
  /** Follows the job that replaced a lost job, instead of the lost job. */
  replace(lost: string, by: string): void
  /** Returns the job that replaced a lost one, or null. */
  follower(lost: string): string | null
}

export function discordWork({ sql, transaction }: FleetDatabase): DiscordWork {
  return {
    take: (message, at) =>
      Number(sql('INSERT INTO discord_messages (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING').run(message, at).changes) > 0,
    isTaken: (message) => sql('SELECT 1 FROM discord_messages WHERE id = ?').get(message) !== undefined,
    forget: (before) => void sql('DELETE FROM discord_messages WHERE at < ?').run(before),
    follow: (job, channel, message) =>
      void sql('INSERT INTO discord_jobs (job, channel, message) VALUES (?, ?, ?) ON CONFLICT (job) DO NOTHING').run(job, channel, message),
    ended: () =>
      sql(
        `SELECT discord_jobs.job, discord_jobs.channel, discord_jobs.message FROM discord_jobs JOIN jobs ON jobs.id = discord_jobs.job
         WHERE jobs.ended_at IS NOT NULL ORDER BY jobs.ended_at, jobs.number LIMIT 100`,
      ).all() as unknown as readonly UntoldEnd[],
    told: (job) => void sql('DELETE FROM discord_jobs WHERE job = ?').run(job),
    replace(lost, by) {
      transaction(() => {
        sql('INSERT OR IGNORE INTO discord_jobs (job, channel, message) SELECT ?, channel, message FROM discord_jobs WHERE job = ?').run(
          by,
          lost,
        )
        sql('DELETE FROM discord_jobs WHERE job = ?').run(lost)
      })
    },
    follower: (lost) =>
      (sql('SELECT id FROM jobs WHERE requested_by = (SELECT requested_by FROM jobs WHERE id = ?) AND idempotency_key = ?').get(
        lost,
        `after ${lost}`,
      )?.['id'] as string | undefined) ?? null,
  }
}
