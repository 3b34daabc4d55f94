import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type WebSocket, WebSocketServer } from 'ws'

/** A post of the bot, in Discord's format. */
export interface Posted {
  readonly id: string
  readonly channel: string
  readonly content: string
  readonly body: Readonly<Record<string, unknown>>
  readonly file: { readonly name: string; readonly text: string } | null
}

/** A message of a user or of another program. */
export interface Said {
  readonly content: string
  readonly user?: string
  readonly channel?: string
  /** The message that it answers, with a mention of its author unless `quiet`. */
  readonly reply?: string
  readonly quiet?: boolean
  readonly more?: Readonly<Record<string, unknown>>
}

/** The answer to a request to post, instead of accepting it. */
export type Trouble = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly taken?: boolean } | 'cut'

/** A Discord with one server: its REST API and its gateway, on loopback. */
export interface DiscordServer extends AsyncDisposable {
  /** The value for `fleet.discord.api`. */
  readonly api: string
  readonly token: string
  readonly bot: string
  readonly user: string
  readonly channel: string
  readonly posted: Posted[]
  /** Answers to the next requests to post. */
  readonly troubles: Trouble[]
  /** Frames received over the gateway: `identify`, `resume`. */
  readonly arrivals: string[]
  /** The currently valid token of the bot. */
  valid: string
  /** The close code that refuses an identify; null: it is accepted. */
  refuses: number | null
  /** The number of open connections to the gateway. */
  readonly open: number
  /** Writes a message; returns its id. Disconnected sessions receive it when they resume. */
  say(said: Said): string
  /** Sends an earlier message again. */
  replay(message: string): void
  /** Ends all connections to the gateway. */
  drop(code?: number): void
  /** Forgets all sessions, so that resuming them is refused. */
  forget(): void
  /** Sends a frame unchanged to all connections. */
  send(frame: string): void
  /** Accepts connections, or refuses them as if the machine were down. */
  reach(isUp: boolean): void
  id(): string
}

interface Session {
  readonly id: string
  sequence: number
  readonly sent: { readonly s: number; readonly t: string; readonly d: unknown }[]
  socket: WebSocket | null
}

export async function startDiscordServer(): Promise<DiscordServer> {
  let [count, isUp] = [0, true]
  const id = (): string => String(((BigInt(Date.now()) - 1_420_070_400_000n) << 22n) + BigInt(++count))
  const [bot, user, channel, guild] = [id(), id(), id(), id()]
  const token = `MTk4NjIyNDgzNDcxOTI1MjQ4.${'Cl2FMQ'}.ZnCjm1XVW7vRze4b7Cq4se7kKWs-${count}`
  const [posted, troubles, arrivals]: [Posted[], Trouble[], string[]] = [[], [], []]
  const sessions = new Map<string, Session>()
  const written: { readonly channel: string; readonly message: Record<string, unknown> }[] = []
  const state: { valid: string; refuses: number | null } = { valid: token, refuses: null }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (!isUp) return void request.socket.destroy()
    answer(request, response, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const json = (response: ServerResponse, status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
    if (request.headers.authorization !== `Bot ${state.valid}`) return json(response, 401, { message: '401: Unauthorized', code: 0 })
    const url = new URL(request.url ?? '', 'http://localhost')
    const route = `${request.method} ${url.pathname.replace('/api/v10', '')}`
    if (route === 'GET /users/@me') return json(response, 200, { id: bot, username: 'paddock-bot', bot: true })
    if (route === 'GET /gateway/bot') {
      const limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 }
      return json(response, 200, { url: `ws://127.0.0.1:${port}/gateway`, shards: 1, session_start_limit: limit })
    }
    const [, where = ''] = /\/channels\/(\d+)\/messages$/.exec(url.pathname) ?? []
    if (where === '') return json(response, 404, { message: 'Not Found', code: 0 })
    if (request.method === 'GET') {
      const after = BigInt(url.searchParams.get('after') ?? '0')
      const found = written.filter((each) => each.channel === where && BigInt(String(each.message['id'])) > after)
      return json(
        response,
        200,
        found
          .slice(0, 100)
          .map(({ message: { guild_id: _, ...rest } }) => rest)
          .reverse(),
      )
    }
    const trouble = troubles.shift()
    if (trouble === 'cut') {
      post(where, request, body)
      return void request.socket.destroy()
    }
    if (trouble !== undefined) {
      if (trouble.taken === true) post(where, request, body)
      return json(response, trouble.status, { message: 'no', code: 0, retry_after: 0.2 }, trouble.headers)
    }
    const taken = post(where, request, body)
    json(response, 200, { id: taken.id, channel_id: where, content: taken.content })
  }
  const post = (where: string, request: IncomingMessage, bytes: Buffer): Posted => {
    const { fields, file } = parts(request.headers['content-type'] ?? '', bytes)
    const same = posted.find(
      ({ channel, body }) => channel === where && fields['enforce_nonce'] === true && body['nonce'] === fields['nonce'],
    )
    if (same !== undefined) return same
    const made = { id: id(), channel: where, content: String(fields['content'] ?? ''), body: fields, file }
    posted.push(made)
    dispatch('MESSAGE_CREATE', {
      ...{ id: made.id, channel_id: where, guild_id: guild, type: 0, author: { id: bot, bot: true }, content: made.content },
      ...{ mentions: [], attachments: [], message_reference: null, nonce: fields['nonce'] },
    })
    return made
  }

  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (!isUp) return void socket.destroy()
    sockets.handleUpgrade(request, socket, head, (connection) => connected(connection))
  })
  const connected = (socket: WebSocket): void => {
    const send = (value: unknown): void => socket.send(JSON.stringify(value))
    send({ op: 10, d: { heartbeat_interval: 41_250 }, s: null, t: null })
    socket.on('message', (text) => {
      const { op, d } = JSON.parse(String(text)) as { op: number; d: Record<string, unknown> }
      if (op === 1) return send({ op: 11, d: null, s: null, t: null })
      if (op !== 2 && op !== 6) return
      arrivals.push(op === 2 ? 'identify' : 'resume')
      if (d['token'] !== state.valid) return socket.close(4004)
      if (op === 6) {
        const session = sessions.get(String(d['session_id']))
        if (session === undefined) return send({ op: 9, d: false, s: null, t: null })
        session.socket = socket
        for (const each of session.sent.filter(({ s }) => s > Number(d['seq']))) send({ op: 0, ...each })
        return send({ op: 0, t: 'RESUMED', s: ++session.sequence, d: {} })
      }
      if (state.refuses !== null) return socket.close(state.refuses)
      const session: Session = { id: `session-${++count}`, sequence: 1, sent: [], socket }
      sessions.set(session.id, session)
      const d0 = {
        v: 10,
        session_id: session.id,
        resume_gateway_url: `ws://127.0.0.1:${port}/gateway`,
        user: { id: bot, username: 'paddock-bot' },
      }
      send({ op: 0, t: 'READY', s: 1, d: d0 })
    })
    socket.on('close', () => {
      for (const each of sessions.values()) if (each.socket === socket) each.socket = null
    })
  }
  const dispatch = (t: string, d: unknown): void => {
    for (const session of sessions.values()) {
      const event = { t, s: ++session.sequence, d }
      session.sent.push(event)
      session.socket?.send(JSON.stringify({ op: 0, ...event }))
    }
  }
  return {
    ...{ api: `http://127.0.0.1:${port}/api`, token, bot, user, channel, posted, troubles, arrivals, id },
    get valid() {
      return state.valid
    },
    set valid(value) {
      state.valid = value
    },
    get refuses() {
      return state.refuses
    },
    set refuses(value) {
      state.refuses = value
    },
    get open() {
      return sockets.clients.size
    },
    say({ content, user: by = user, channel: where = channel, reply, quiet = false, more = {} }) {
      const isMentioned = new RegExp(`<@!?${bot}>`).test(content) || (reply !== undefined && !quiet)
      const message = {
        ...{ id: id(), channel_id: where, guild_id: guild, type: reply === undefined ? 0 : 19, author: { id: by, username: 'ada' } },
        // Without the privileged intent, only messages that mention the bot contain their text.
        ...{ content: isMentioned ? content : '', mentions: isMentioned ? [{ id: bot }] : [], attachments: [] },
        ...(reply === undefined ? {} : { message_reference: { message_id: reply, channel_id: where } }),
        ...more,
      }
      written.push({ channel: where, message })
      dispatch('MESSAGE_CREATE', message)
      return message.id
    },
    replay(message) {
      const found = written.find((each) => each.message['id'] === message)
      dispatch('MESSAGE_CREATE', found?.message)
    },
    drop(code) {
      for (const each of sockets.clients) {
        if (code === undefined) each.terminate()
        else each.close(code)
      }
    },
    forget: () => sessions.clear(),
    send(frame) {
      for (const each of sockets.clients) each.send(frame)
    },
    reach(up) {
      isUp = up
      if (!up) for (const each of sockets.clients) each.terminate()
    },
    async [Symbol.asyncDispose]() {
      for (const each of sockets.clients) each.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns the fields and the file of a request to post: JSON, or multipart/form-data with JSON in `payload_json`. */
function parts(type: string, bytes: Buffer): { readonly fields: Record<string, unknown>; readonly file: Posted['file'] } {
  const [, boundary] = /^multipart\/form-data; ?boundary="?([^";]+)/.exec(type) ?? []
  if (boundary === undefined) return { fields: JSON.parse(bytes.toString()) as Record<string, unknown>, file: null }
  let [fields, file]: [Record<string, unknown>, Posted['file']] = [{}, null]
  for (const each of bytes.toString().split(`--${boundary}`)) {
    const [head = '', ...rest] = each.split('\r\n\r\n')
    const text = rest.join('\r\n\r\n').replace(/\r\n$/, '')
    const name = /filename="([^"]*)"/.exec(head)?.[1]
    if (name !== undefined) file = { name, text }
    else if (head.includes('name="payload_json"')) fields = JSON.parse(text) as Record<string, unknown>
  }
  return { fields, file }
}
