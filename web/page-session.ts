import { type ApiClient, apiClient } from '../src/client/api-client.ts'

/** The storage key of the half of a session that only pages of this origin have; the other is a cookie that scripts cannot read. */
const kept = 'paddock.session'
const keptEnd = 'paddock.session-end'
export const signedIn = 'paddock:signed-in'
export const signedOut = 'paddock:signed-out'
const header = 'x-paddock-session'

export function isSignedIn(): boolean {
  return localStorage.getItem(kept) !== null
}

function forget(): void {
  localStorage.removeItem(kept)
  localStorage.removeItem(keptEnd)
}

/** Returns the time when this session ends, in milliseconds since 1970; null if it is not known. */
export function sessionEnd(): number | null {
  const at = Date.parse(localStorage.getItem(keptEnd) ?? '')
  return Number.isNaN(at) ? null : at
}

/** Sends a request with this session. Without a session, the server refuses the request. */
export async function send(request: Request): Promise<Response> {
  const half = localStorage.getItem(kept)
  if (half !== null) request.headers.set(header, half)
  const response = await fetch(request).catch((error: Error) => {
    throw error.name === 'AbortError' ? error : new Error('The server does not answer.')
  })
  if (response.status === 401) {
    forget()
    dispatchEvent(new Event(signedOut))
  }
  return response
}

export const api: ApiClient = apiClient(location.origin, send)

/** Signs in with the code of a login link, or with a token. Returns a sentence if the server refuses. */
export async function signIn(by: { readonly code: string } | { readonly token: string }): Promise<string | null> {
  const { data, error } = await api.POST('/api/v1/session', { body: by })
  if (data === undefined) return (error as { detail?: string } | undefined)?.detail ?? 'The server refused it.'
  localStorage.setItem(kept, data.half)
  localStorage.setItem(keptEnd, data.expiresAt)
  dispatchEvent(new Event(signedIn))
  return null
}

export async function signOut(): Promise<void> {
  await api.DELETE('/api/v1/session')
  forget()
}
