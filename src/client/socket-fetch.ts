import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/** Statuses whose responses have no body (RFC 9110, 15.3.5 and 15.4.5). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Returns a `fetch` that sends each request over a new connection from `connect`, such as a Unix socket, regardless of the host in the URL.
 * Rejects with the error of the connection (`code`: ENOENT, ECONNREFUSED, EACCES).
 */
export function socketFetch(connect: () => Socket): (input: Request) => Promise<Response> {
  return async (input) => {
    const url = new URL(input.url)
    const body = input.body === null ? null : Buffer.from(await input.arrayBuffer())
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        {
          createConnection: connect,
          path: `${url.pathname}${url.search}`,
          method: input.method,
          headers: { ...Object.fromEntries(input.headers), host: 'localhost', ...(body === null ? {} : { 'content-length': body.length }) },
          signal: input.signal,
        },
        resolve,
      )
      sent.once('error', reject)
      sent.end(body ?? undefined)
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) for (const each of [value ?? []].flat()) headers.append(name, each)
    const status = answer.statusCode ?? 500
    if (bodiless.has(status)) answer.resume()
    return new Response(bodiless.has(status) ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers })
  }
}
