import type { AuditSink } from '../../audit/event.ts'
import type { DiscordMessage, Standing } from './discord-message.ts'

type Why = Exclude<Standing, 'taken' | 'others'>

export interface Refusals {
  /** The number of refused messages for the bot, by reason. */
  readonly counts: Readonly<Record<Why, number>>
  note(why: Why, message: DiscordMessage): void
}

/** The interval in milliseconds in which a user gets one log line, and the most lines in total, so that strangers cannot fill the log. */
const [windowMs, mostLines] = [3_600_000, 100]

/** Counts refused messages, and records them in the audit log. */
export function refusals(audit: AuditSink, now: () => number): Refusals {
  const counts: Record<Why, number> = { channel: 0, user: 0, program: 0, system: 0 }
  const noted = new Set<string>()
  let since = now()
  return {
    counts,
    note(why, { author, channel_id: channel, id }) {
      counts[why]++
      if (Math.abs(now() - since) >= windowMs) {
        noted.clear()
        since = now()
      }
      if (noted.has(author.id) || noted.size >= mostLines) return
      noted.add(author.id)
      audit({ kind: 'discord.refused', actor: `discord:${author.id}`, data: { why, channel, message: id } })
    },
  }
}
