import { existsSync, realpathSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { codeOf, type ErrorCode, errorExitCodes, PaddockError } from '../../base/errors.ts'
import { resolvePaths } from '../../base/paths.ts'
import { type ApiClient, apiClient } from '../../client/api-client.ts'
import { socketFetch } from '../../client/socket-fetch.ts'
import { inDirectory } from '../../files/in-directory.ts'
import { fleetOf } from './data-option.ts'

/** Options of all commands that talk to a server. */
export interface ServerOptions {
  readonly data?: string
  readonly json?: boolean
}

/**
 * Returns a client for the server of this machine.
 * @throws PaddockError NOT_FOUND if none is running
 */
export function connectServer(options: ServerOptions): ApiClient {
  const client = connectedServer(options)
  if (client !== null) return client
  throw noServer(options)
}

/** Returns a function that connects to the server of this machine; null if there is no socket. */
export function serverSocket({ data }: ServerOptions): (() => Socket) | null {
  const { socket } = fleetOf(data, resolvePaths(process.env))
  if (!existsSync(socket)) return null
  const file = path.join(realpathSync(path.dirname(socket)), path.basename(socket))
  // A socket path may have at most 107 bytes (unix(7)). The path of its directory may be longer.
  return () => inDirectory(file, (safe) => connect({ path: safe }))
}

/** Returns a client as `connectServer` does; null if there is no socket. */
export function connectedServer(options: ServerOptions): ApiClient | null {
  const { data } = options
  const connected = serverSocket(options)
  if (connected === null) return null
  const { socket } = fleetOf(data, resolvePaths(process.env))
  const fetch = socketFetch(connected)
  return apiClient('http://localhost', async (request) => {
    try {
      return await fetch(request)
    } catch (error) {
      const code = codeOf(error)
      if (code === 'ENOENT' || code === 'ECONNREFUSED') throw noServer({ ...(data === undefined ? {} : { data }) })
      throw new PaddockError('CELL_FAILED', `The server does not answer (${code ?? (error as Error).message}).`, {
        hint: `Look at ${path.dirname(socket)}`,
        cause: error,
      })
    }
  })
}

/** Returns the error for commands that need a running server. */
export function noServer({ data }: ServerOptions): PaddockError {
  return new PaddockError('NOT_FOUND', 'No server of this fleet is running.', {
    hint: `Run: paddock serve${data === undefined ? '' : ` --data ${data}`}`,
  })
}

/** A problem as the API reports it. */
interface Problem {
  readonly code?: string
  readonly detail?: string
  readonly title?: string
  readonly hint?: string
  readonly issues?: readonly { readonly place: string; readonly message: string }[]
}

/** Codes that only the API uses, each with the code that commands use instead. */
const apiCodes: Readonly<Record<string, ErrorCode>> = {
  TOO_LARGE: 'BAD_INPUT',
  PRECONDITION_FAILED: 'CONFLICT',
  FORBIDDEN: 'NOT_ALLOWED',
  UNAUTHENTICATED: 'NOT_ALLOWED',
}

/** Returns the data of a response. @throws PaddockError with the server's code if the server refused the request */
export function answered<T>({ data, error }: { readonly data?: T; readonly error?: unknown }): T {
  if (error === undefined) return data as T
  const { code = '', detail, title, hint, issues = [] } = error as Problem
  const known = apiCodes[code] ?? (Object.hasOwn(errorExitCodes, code) ? (code as ErrorCode) : 'CELL_FAILED')
  const places = issues.map(({ place, message }) => `${place}: ${message}`)
  const message = places.length > 0 ? places.join('\n') : (detail ?? title ?? 'The server refused it.')
  throw new PaddockError(known, message, hint === undefined ? {} : { hint })
}
