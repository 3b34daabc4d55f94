import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { wayOut } from './way-out.ts'

/** Statuses whose responses have no body (RFC 9110, 15.3.5 and 15.4.5). */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * A `fetch` that connects as the user configured (`wayOut`). With a proxy, or with certificates that only the user trusts, each request has a connection of
 * its own and follows no redirect. Otherwise it is the `fetch` of Node.
 */
export const outFetch: typeof fetch = async (input, init) => {
  const { upstream, added } = wayOut()
  if (upstream === null && added().certificates.length === 0) return await fetch(input, init)
  const request = new Request(input, init)
  const url = new URL(request.url)
  const isTls = url.protocol === 'https:'
  const [{ request: send }, { outConnection }] = await Promise.all([
    import(isTls ? 'node:https' : 'node:http'),
    import('./out-connection.ts'),
  ])
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (send as typeof import('node:https').request)(
      url,
      {
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), ...(body === null ? {} : { 'content-length': body.length }) },
        createConnection: outConnection(isTls) as never,
        // Without an agent, Node would assume 80.
        defaultPort: isTls ? 443 : 80,
        signal: request.signal,
      },
      resolve,
    )
    // As `fetch` does: the details are in the cause.
    sent.once('error', (cause) => reject(request.signal.aborted ? request.signal.reason : new TypeError('fetch failed', { cause })))
    // Node reports no error for an answer that switches to another protocol.
    sent.once('close', () => reject(new TypeError('fetch failed', { cause: new Error('the connection was closed without an answer') })))
    sent.end(body ?? undefined)
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) for (const each of [value ?? []].flat()) headers.append(name, each)
  const status = answer.statusCode ?? 0
  // A `Response` has no other ones (https://fetch.spec.whatwg.org/#dom-response), and nobody would read the rest of the answer.
  if (status < 200 || status > 599) {
    answer.destroy()
    throw new TypeError('fetch failed', { cause: new Error(`the answer has the status ${status}, which does not exist`) })
  }
  if (bodiless.has(status)) answer.resume()
  return new Response(bodiless.has(status) ? null : (Readable.toWeb(answer) as ReadableStream), {
    status,
    statusText: answer.statusMessage ?? '',
    headers,
  })
}
