import { api } from '../../page-session.ts'

/** Opens a terminal of an agent and returns its id, or throws the server's error. */
export async function openTerminal(agent: string): Promise<string> {
  const { data, error } = await api.POST('/api/v1/agents/{agent}/sessions', {
    params: { path: { agent } },
    body: { size: { columns: 80, rows: 24 } },
  })
  if (data !== undefined) return data.id
  const { detail, hint } = (error ?? {}) as { readonly detail?: string; readonly hint?: string }
  throw new Error([detail ?? 'The server does not answer.', hint].filter((each) => each !== undefined).join(' '))
}
