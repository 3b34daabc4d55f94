import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'

/** A client for a server's API, typed by the OpenAPI document. */
export type ApiClient = Client<paths>

/**
 * Returns a client. `send` sends requests: `fetch` itself, or `socketFetch` for the Unix socket of this machine's server. Every request
 * carries the token, if there is one.
 */
export function apiClient(url: string, send: (request: Request) => Promise<Response>, token?: string): ApiClient {
  return createClient<paths>({
    baseUrl: url,
    fetch: send,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  })
}
