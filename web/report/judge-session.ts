/** The half of the session that only this tab holds; the other is a cookie that no script reads. */
const kept = 'paddock.judging'
const again = 'Start the command again, and open the link that it prints: your answers are kept.'

/** Takes the code of the link that the page was opened by, once; without one, goes on with the session of this tab. */
export async function comeIn(): Promise<void> {
  const code = location.hash.slice(1)
  if (code === '') return
  // Neither the history nor a bookmark has it.
  history.replaceState(null, '', location.pathname)
  const session = await ask<{ readonly half: string }>('POST', '/api/v1/session', { code }).catch((error: unknown) => {
    // The same link once more, in the tab that it let in.
    if (sessionStorage.getItem(kept) === null) throw error
    return null
  })
  if (session !== null) sessionStorage.setItem(kept, session.half)
}

/** Asks the server. Throws one sentence for people if it does not do it. */
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
  if (response === null) throw new Error(`The command does not answer: it has ended. ${again}`)
  if (response.status === 401)
    throw new Error(`This page is not signed in: its link was used before, or is older than five minutes. ${again}`)
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error((answer as { readonly detail?: string }).detail ?? `The command answers with ${response.status}.`)
  return answer as T
}
