/** The storage key of the half of the session that only this tab has; the other is a cookie that scripts cannot read. */
const kept = 'paddock.judging'
const again = 'Start the command again and open the link that it prints. Your answers are kept.'

/** Signs in with the code of the link that opened the page. A code works once; without a code, this tab's session continues. */
export async function comeIn(): Promise<void> {
  const code = location.hash.slice(1)
  if (code === '') return
  // This removes the code from the history and from bookmarks.
  history.replaceState(null, '', location.pathname)
  const session = await ask<{ readonly half: string }>('POST', '/api/v1/session', { code }).catch((error: unknown) => {
    // The same link was opened again in a tab that is signed in.
    if (sessionStorage.getItem(kept) === null) throw error
    return null
  })
  if (session !== null) sessionStorage.setItem(kept, session.half)
}

/** Sends a request to the server. Throws an error with one sentence for the user if it fails. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const half = sessionStorage.getItem(kept)
  const response = await fetch(path, {
    method,
    headers: {
      ...(half === null ? {} : { 'x-paddock-session': half }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null)
  if (response === null) throw new Error(`The command does not answer, because it has ended. ${again}`)
  if (response.status === 401)
    throw new Error(`This page is not signed in, because its link was used before or is older than five minutes. ${again}`)
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error((answer as { readonly detail?: string }).detail ?? `The command answers with ${response.status}.`)
  return answer as T
}
