import { DiscordAPIError, HTTPError, RateLimitError, REST, type RESTOptions } from '@discordjs/rest'
import * as z from 'zod'
import { outFetch } from '../../egress/upstream/out-fetch.ts'
import { wayOut } from '../../egress/upstream/way-out.ts'
import { codeOf } from '../webhooks/webhook-address.ts'
import { type DiscordRest, RestTrouble } from './rest-trouble.ts'
import { snowflake } from './snowflake.ts'

const timeoutMs = 15_000
/** The message flag that suppresses link previews (MESSAGE_FLAGS). */
const suppressEmbeds = 1 << 2
/** The shortest and the longest wait for a rate limit, whatever Discord asks for. */
const [leastRetryMs, longestRetryMs] = [500, 3_600_000]

const meSchema = z.object({ id: snowflake, username: z.string().max(200) })
const gatewaySchema = z.object({ url: z.string().max(500) })
const postedSchema = z.object({ id: snowflake })

export function discordRest(token: string, api: string): DiscordRest {
  const rest = new REST({
    ...{ api, version: '10', timeout: timeoutMs, retries: 0, userAgentAppendix: 'paddock' },
    // Waiting is the task of the queue, which is persistent.
    rejectOnRateLimit: () => true,
    // The types of the library are those of undici.
    ...(wayOut().settings === null ? {} : { makeRequest: outFetch as unknown as RESTOptions['makeRequest'] }),
  }).setToken(token)
  const ask = async <T>(work: () => Promise<unknown>, schema: z.ZodType<T>): Promise<T> => {
    const answer = await work().catch((error: unknown) => {
      // The library drops a token after one refusal.
      rest.setToken(token)
      throw troubleOf(error)
    })
    const parsed = schema.safeParse(answer)
    if (!parsed.success) throw new RestTrouble('Discord sent an unexpected response.')
    return parsed.data
  }
  return {
    async me() {
      const { id, username } = await ask(() => rest.get('/users/@me'), meSchema)
      return { id, name: username }
    },
    gateway: async () => (await ask(() => rest.get('/gateway/bot'), gatewaySchema)).url,
    async post({ channel, content, file, replyTo, nonce }) {
      const body = {
        ...{ content, nonce, enforce_nonce: true, flags: suppressEmbeds, allowed_mentions: { parse: [], replied_user: false } },
        ...(replyTo === null ? {} : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
      }
      const files = file === null ? [] : [{ name: file.name, data: Buffer.from(file.text), contentType: 'text/plain; charset=utf-8' }]
      return (await ask(() => rest.post(`/channels/${channel}/messages`, { body, files }), postedSchema)).id
    },
    messagesAfter: (channel, message) =>
      ask(
        () => rest.get(`/channels/${channel}/messages`, { query: new URLSearchParams({ after: message, limit: '100' }) }),
        z.array(z.looseObject({ id: snowflake })),
      ),
    [Symbol.dispose]() {
      rest.clearHashSweeper()
      rest.clearHandlerSweeper()
    },
  }
}

/** Returns how long to wait for a rate limit, in milliseconds. */
function retryMs({ retryAfter, sublimitTimeout }: RateLimitError): number {
  const asked = Math.max(retryAfter, sublimitTimeout)
  return Number.isFinite(asked) ? Math.min(Math.max(asked, leastRetryMs), longestRetryMs) : longestRetryMs
}

/** Returns the error for a failed request, without the original texts, which come from the other side or contain the request. */
function troubleOf(error: unknown): RestTrouble {
  if (error instanceof RestTrouble) return error
  if (error instanceof RateLimitError) return new RestTrouble('Discord asks to wait (429).', 'later', retryMs(error))
  if (error instanceof DiscordAPIError) {
    const { status } = error
    if (status === 401) return new RestTrouble('Discord refuses the token (401).', 'token')
    if (status === 403) return new RestTrouble('The bot may not do that in the channel (403): look at its permissions.')
    if (status === 404) return new RestTrouble('There is no such channel, or the bot does not see it (404).')
    return new RestTrouble(`Discord answered ${status}.`, status >= 400 && status < 500 && status !== 408 ? 'request' : 'later')
  }
  if (error instanceof HTTPError) return new RestTrouble(`Discord answered ${error.status}.`)
  if ((error as Error).name === 'AbortError') return new RestTrouble(`No answer within ${timeoutMs / 1000} s.`)
  const { cause } = error as { readonly cause?: unknown }
  return new RestTrouble(`The connection to Discord failed (${codeOf(cause ?? error)}).`)
}
