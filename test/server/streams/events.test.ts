import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isGood, tokenCaller } from '../../../src/server/access/identify.ts'
import { KeptSessions } from '../../../src/server/access/page-sessions.ts'
import { systemClock } from '../../../src/server/access/steady-clock.ts'
import { streamLimits } from '../../../src/server/streams/pump.ts'
import { bearer, type TestServer, testServer } from '../../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ streamLimits: { ...streamLimits, heartbeatMs: 100, stalledBeats: 1_000_000, lingerMs: 60_000 } })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Sent {
  readonly event: string
  readonly id: number | null
  // biome-ignore lint/suspicious/noExplicitAny: the data of any event
  readonly data: any
}

/** Opens the event stream. */
async function open(query = '', headers: Record<string, string> = {}, secret = server.secrets.viewer): Promise<IncomingMessage> {
  const request = httpRequest({
    host: '127.0.0.1',
    port: server.port,
    path: `/api/v1/events${query}`,
    agent: false,
    headers: { ...bearer(secret), ...headers },
  })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

/** Yields the events of a stream like a browser. */
async function* events(response: IncomingMessage): AsyncGenerator<Sent> {
  let text = ''
  for await (const chunk of response) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      const id = fields.get('id')
      yield {
        event: fields.get('event') ?? 'message',
        id: id === undefined ? null : Number(id),
        data: JSON.parse(fields.get('data') ?? ''),
      }
      text = text.slice(end + 2)
    }
  }
}

/** Reads until an event matches. Returns everything but heartbeats. */
async function until(response: IncomingMessage, isLast: (sent: Sent) => boolean): Promise<Sent[]> {
  const all: Sent[] = []
  for await (const sent of events(response)) {
    if (sent.event !== 'heartbeat') all.push(sent)
    if (isLast(sent)) return all
  }
  return all
}

const ids = (sent: readonly Sent[]): (number | null)[] => sent.filter(({ event }) => event === 'message').map(({ id }) => id)

describe('the stream of events', () => {
  it('begins with what comes next, or after any id, by header before query', async () => {
    server.events.add('a', 'b', 'c')
    const next = await open()
    expect(next.headers['content-type']).toBe('text/event-stream')
    expect(next.headers['content-security-policy']).toContain("default-src 'none'")
    const reading = until(next, ({ id, event }) => event === 'message' && id === 4)
    // The first heartbeat says where the stream starts. The event is added only after it.
    await until(await open(), ({ event }) => event === 'heartbeat')
    server.events.add('d')
    expect(ids(await reading)).toEqual([4])
    expect(ids(await until(await open('?after=0'), ({ id }) => id === 4))).toEqual([1, 2, 3, 4])
    const resumed = await until(await open('?after=0', { 'last-event-id': '2' }), ({ id }) => id === 4)
    expect(resumed.map(({ data }) => data.data.text)).toEqual(['c', 'd'])
    const beat = events(await open('?after=4'))
    expect((await beat.next()).value).toEqual({ event: 'heartbeat', id: 4, data: { last: 4 } })
    await beat.return(undefined)
    for (const query of ['?after=-1', '?after=1e3', '?after=x', '?after=01', `?after=${'9'.repeat(16)}`, '?from=1'])
      expect([query, (await open(query)).statusCode]).toEqual([query, 400])
    expect((await open('', { 'last-event-id': 'x' })).statusCode).toBe(400)
  })

  it('sends reset for an id from the future or one that is no longer kept, and continues', async () => {
    const last = server.events.last
    const [future] = await until(await open('?after=999999'), ({ event }) => event === 'reset')
    expect(future).toEqual({ event: 'reset', id: last, data: { first: 1, last } })
    server.events.add('e', 'f')
    server.events.drop(last)
    const past = await until(await open('?after=1'), ({ id, event }) => event === 'message' && id === last + 2)
    expect(past.map(({ event, id }) => [event, id])).toEqual([
      ['reset', last],
      ['message', last + 1],
      ['message', last + 2],
    ])
  })

  it('ends at once when its token is revoked or its session ends, with a reason', async () => {
    const { secret } = server.tokens.create({ name: 'leaving', role: 'viewer', expiresAt: null })
    const leaving = await open('', {}, secret)
    const staying = await open()
    await server.ask('/api/v1/tokens/leaving/revoke', { method: 'POST', headers: bearer(server.secrets.owner) })
    expect((await until(leaving, () => false)).map(({ event }) => event)).toEqual(['credential'])
    const session = await server.logIn('viewer')
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path: '/api/v1/events', agent: false, headers: session })
    request.end()
    const [ofSession] = (await once(request, 'response')) as [IncomingMessage]
    await server.ask('/api/v1/session', { method: 'DELETE', headers: session })
    expect((await until(ofSession, () => false)).map(({ event }) => event)).toEqual(['credential'])
    const number = server.events.last + 1
    server.events.add('still there')
    expect(ids(await until(staying, ({ event }) => event === 'message'))).toEqual([number])
  })

  it('ends by itself when its credential is no longer good, however that came about', async () => {
    const { secret } = server.tokens.create({ name: 'short', role: 'viewer', expiresAt: null })
    const stream = await open('', {}, secret)
    server.tokens.revoke('short')
    expect((await until(stream, () => false)).map(({ event }) => event)).toEqual(['credential'])
    const { token } = server.tokens.create({ name: 'expired', role: 'viewer', expiresAt: '2020-01-01T00:00:00Z' })
    expect(isGood(tokenCaller(token), { tokens: server.tokens, sessions: new KeptSessions(systemClock) })).toBe(false)
  })

  it('gives up a reader that does not read, which then gets everything when it resumes', async () => {
    await server.streams(0)
    const start = server.events.last
    const slow = await open()
    slow.pause()
    const text = 'x'.repeat(10_000)
    // More than the buffers of both sockets and the limit together.
    for (let count = 0; count < 2_000; count += 1) server.events.add(text)
    await server.streams(0)
    const got = await until(slow, () => false)
    expect(got.at(-1)?.event).toBe('slow')
    const seen = ids(got)
    expect(seen.length).toBeLessThan(2_000)
    const rest = ids(await until(await open(`?after=${seen.at(-1) ?? start}`), ({ id }) => id === start + 2_000))
    expect([...seen, ...rest]).toEqual(Array.from({ length: 2_000 }, (_, index) => start + 1 + index))
  })

  it('lets a reader that catches up take its time', async () => {
    const response = await open('?after=0')
    response.pause()
    // Meanwhile other clients are served, and the log grows.
    for (let turns = 0; turns < 20; turns += 1) {
      server.events.add('more')
      await server.ask('/healthz')
    }
    const last = server.events.last
    const got = await until(response, ({ id, event }) => event === 'message' && id === last)
    expect(ids(got).length).toBe(last - server.events.first + 1)
    expect(got.at(-1)?.event).toBe('message')
  })

  it('gives up a reader that catches up and then takes nothing for three heartbeats', async () => {
    await using other = await testServer({ streamLimits: { ...streamLimits, heartbeatMs: 20 } })
    other.events.add(...Array.from({ length: 2_000 }, () => 'x'.repeat(10_000)))
    const request = httpRequest({
      host: '127.0.0.1',
      port: other.port,
      path: '/api/v1/events?after=0',
      headers: bearer(other.secrets.viewer),
    })
    request.end()
    const [stalled] = (await once(request, 'response')) as [IncomingMessage]
    stalled.pause()
    await other.streams(0)
    const got = await until(stalled, () => false)
    expect(got.at(-1)?.event).toBe('slow')
    expect(ids(got)).toEqual(got.slice(0, -1).map((_each, index) => index + 1))
  })

  it('ends with a reason when the server stops', async () => {
    const other = await testServer()
    const request = httpRequest({ host: '127.0.0.1', port: other.port, path: '/api/v1/events', headers: bearer(other.secrets.viewer) })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const reading = until(response, () => false)
    await other[Symbol.asyncDispose]()
    expect((await reading).map(({ event }) => event)).toEqual(['stopping'])
  })
})
