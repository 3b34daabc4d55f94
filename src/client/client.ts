import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'

/** The API of a server, typed by its OpenAPI document. */
export type ApiClient = Client<paths>

/**
 * Returns a client. `send` sends requests: `fetch` itself, or `socketFetch` for the Unix socket of this machine's server. If there is a
 * token, every request has it.
 */
export function apiClient(url: string, send: (request: Request) => Promise<Response>, token?: string): ApiClient {
  return createClient<paths>({
    baseUrl: url,
    fetch: send,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  })
}
