import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'

/** Runs `paddock session list`. */
export async function listSessions(options: ServerOptions): Promise<Answer<Result<'session list'>>> {
  const { items } = answered(await connectServer(options).GET('/api/v1/sessions'))
  const rows = items.map((each) => [each.id, each.agent, each.startedAt, String(each.viewers), each.typist ?? '-', each.command.join(' ')])
  return { data: { items }, lines: table(['ID', 'AGENT', 'SINCE', 'VIEWERS', 'TYPES', 'COMMAND'], rows) }
}

/** Runs `paddock session end`. */
export async function endSession(id: string, options: ServerOptions): Promise<Answer<Result<'session end'>>> {
  const session = answered(await connectServer(options).DELETE('/api/v1/sessions/{session}', { params: { path: { session: id } } }))
  return { data: session, notes: [`${session.id} of ${session.agent} ends`] }
}
