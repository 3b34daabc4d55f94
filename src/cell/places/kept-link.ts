import { once } from 'node:events'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { PaddockError } from '../../base/errors.ts'
import type { Transport } from './eager-duplex.ts'
import { bodyOf, cutStream, openLink, request, responseOf, textOf } from './place-link.ts'
import { linesOf, longestAnswer } from './place-wire.ts'
import type { Spool } from './spool.ts'
import { CannotTravel } from './tree-manifest.ts'

/** Milliseconds between two attempts to reach the other side again: the first and the longest pause. */
const [firstPauseMs, longestPauseMs] = [100, 5_000]

/** A link to another machine that is opened again when it is lost, for a while. */
export class KeptLink {
  readonly #open: () => Promise<Transport>
  readonly #keepMs: number
  readonly #onSession: (session: ClientHttp2Session) => void
  #isClosed = false
  #session: Promise<ClientHttp2Session>
  #current: ClientHttp2Session | null = null

  /**
   * @param open opens a transport, or rejects.
   * @param keepMs milliseconds for which a lost link is opened again. 0: never.
   * @param onSession called with each session before anything else uses it.
   */
  constructor(open: () => Promise<Transport>, keepMs: number, onSession: (session: ClientHttp2Session) => void) {
    this.#open = open
    this.#keepMs = keepMs
    this.#onSession = onSession
    this.#session = this.#next()
    this.#session.catch(() => undefined)
  }

  /** Resolves to the session as soon as there is one. Rejects with a PaddockError if the link is lost. */
  async session(): Promise<ClientHttp2Session> {
    for (;;) {
      const session = await this.#session
      if (isOpen(session)) return session
      this.#lost(session)
    }
  }

  /** Returns what a request returns. It is sent again if it was cut off. */
  async over<Value>(send: (session: ClientHttp2Session) => Promise<Value>): Promise<Value> {
    for (const tries = new Tries(); ; ) {
      const session = await this.session()
      try {
        return await send(session)
      } catch (error) {
        await tries.again(session, error)
      }
    }
  }

  /** False while the link is lost. */
  get isOpen(): boolean {
    return this.#current !== null && isOpen(this.#current)
  }

  close(): void {
    this.#isClosed = true
    this.#current?.destroy()
  }

  async #next(): Promise<ClientHttp2Session> {
    const transport = await this.#open()
    const ended = Promise.withResolvers<never>()
    ended.promise.catch(() => undefined)
    const session = openLink(transport, () => ended.reject(lostLink()))
    // A side that accepts connections and is none of ours has no settings.
    await Promise.race([once(session, 'remoteSettings'), ended.promise])
    this.#current = session
    if (this.#isClosed) this.close()
    ended.promise.catch(() => this.#lost(session))
    this.#onSession(session)
    return session
  }

  #lost(session: ClientHttp2Session): void {
    if (this.#current !== session) return
    this.#current = null
    // One that the other side closes would still wait for its streams.
    session.destroy()
    this.#session = this.#again(performance.now() + this.#keepMs)
    this.#session.catch(() => undefined)
  }

  async #again(until: number): Promise<ClientHttp2Session> {
    for (let pause = firstPauseMs; !this.#isClosed && performance.now() + pause < until; pause = Math.min(2 * pause, longestPauseMs)) {
      await setTimeout(pause)
      const session = await this.#next().catch(() => null)
      if (session !== null) return session
    }
    throw lostLink()
  }
}

/** A request to which the other side says no: it is not sent again. */
export class Refused extends Error {}

/** Sends a request without a body, and returns the value of its answer. @throws Refused if the other side says no */
export async function answerTo(session: ClientHttp2Session, path: string): Promise<unknown> {
  const stream = request(session, path).end()
  const body = bodyOf(stream)
  const headers = await responseOf(stream)
  const answer = await textOf(body, longestAnswer)
  if (headers[':status'] !== 200) throw new Refused(answer)
  return (JSON.parse(answer) as { value: unknown }).value
}

/**
 * Returns the bytes of a spool at the other side, over as many sessions as that needs.
 * @param path returns its path for each stream after the first one, or throws.
 * @param first a stream that carries the spool from its beginning.
 * @throws PaddockError if the link is lost
 */
export async function* followed(link: KeptLink, path: () => string, first?: ClientHttp2Stream): AsyncGenerator<Buffer> {
  let at = 0
  let [tries, stream] = [new Tries(), first]
  for (;;) {
    const session = await link.session()
    stream ??= request(session, `${path()}?from=${at}`)
    const [response, body] = [responseOf(stream), bodyOf(stream)]
    try {
      if ((await response)[':status'] !== 200) throw new Refused('the spool is not kept')
      for await (const chunk of body as AsyncIterable<Buffer>) {
        at += chunk.length
        tries = new Tries()
        yield chunk
        if (!stream.destroyed) stream.write(`${at}\n`)
      }
      if (stream.rstCode === 0) return
      throw new Error('the stream was cut off')
    } catch (error) {
      await tries.again(session, error)
    } finally {
      cutStream(stream)
    }
    stream = undefined
  }
}

/** Sends a spool to the other side, over as many sessions as that needs. Ends early if the link is lost or the other side does not want it. */
export async function sendSpool(link: KeptLink, path: string, spool: Spool): Promise<void> {
  const send = async (session: ClientHttp2Session): Promise<void> => {
    const stream = request(session, path)
    const [response, lines] = [responseOf(stream), linesOf(bodyOf(stream))]
    try {
      if ((await response)[':status'] !== 200) throw new Refused('the other side has no use for it')
      const from = Number((await lines.next()).value)
      spool.acknowledge(from)
      const sending = pipeline(spool.from(from), stream)
      sending.catch(() => undefined)
      for await (const line of lines) spool.acknowledge(Number(line))
      await sending
    } finally {
      cutStream(stream)
    }
  }
  await link.over(send).catch(() => undefined)
}

/** How often a request is sent again that was cut off although its session goes on. */
class Tries {
  #left = 3

  /** Resolves when a request that failed may be sent again. Rejects with its error if that makes no sense. */
  async again(session: ClientHttp2Session, error: unknown): Promise<void> {
    if (error instanceof Refused || error instanceof CannotTravel || error instanceof PaddockError) throw error
    if (!isOpen(session)) return
    if (this.#left-- === 0) throw error
    await setTimeout(firstPauseMs)
  }
}

function isOpen(session: ClientHttp2Session): boolean {
  return !session.destroyed && !session.closed
}

export function lostLink(cause?: unknown): PaddockError {
  return new PaddockError('CELL_FAILED', 'The connection to the other machine was lost, so its cell was ended.', { cause })
}
