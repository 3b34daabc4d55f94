import { PaddockError } from '../../base/errors.ts'
import type { AnswerScope } from '../../egress/approvals/answer-scopes.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'
import { pauseLine } from './pause-line.ts'

/** Runs `paddock inbox`. */
export async function showInbox(options: ServerOptions): Promise<Answer<Result<'inbox'>>> {
  const server = connectServer(options)
  const { items } = answered(await server.GET('/api/v1/inbox'))
  const { paused } = answered(await server.GET('/api/v1/server'))
  const notes = paused === null ? [] : [pauseLine(paused, options.data)]
  if (items.length === 0) return { data: { items }, notes: ['nothing waits for you', ...notes] }
  const rows = items.map((each) => [each.kind, leftText(each.expiresAt), each.hint ?? '-', each.text])
  return { data: { items }, notes, lines: table(['KIND', 'LEFT', 'WHAT TO DO', 'WHAT'], rows) }
}

/** `paddock answer`: answers a job's question, a tool call that waits for approval, or an egress question of a cell. */
export async function answerQuestion(
  id: string,
  answer: string,
  options: ServerOptions & { readonly for: AnswerScope },
): Promise<Answer<Result<'answer'>>> {
  return ofJob.test(id) ? answerJob(id, answer, options) : answerCell(id, answer, options)
}

/** The id of a job followed by the number of its question. */
const ofJob = /^j-[0-9a-z]+-\d+$/

async function answerJob(
  id: string,
  answer: string,
  options: ServerOptions & { readonly for: AnswerScope },
): Promise<Answer<Result<'answer'>>> {
  if (options.for !== 'once')
    throw new PaddockError('BAD_INPUT', `--for ${options.for}: this answer applies to one call.`, { hint: 'Leave --for out' })
  const { items } = answered(await connectServer(options).GET('/api/v1/inbox'))
  const isTool = items.some((each) => each.id === id && each.kind === 'tool')
  if (isTool && answer !== 'allow' && answer !== 'deny')
    throw new PaddockError('BAD_INPUT', `${answer} is not an answer.`, { hint: `Give: paddock answer ${id} allow, or deny` })
  const body = isTool ? { allowed: answer === 'allow', text: '' } : { allowed: true, text: answer }
  const given = answered(await connectServer(options).POST('/api/v1/inbox/{id}/answer', { params: { path: { id } }, body }))
  return { data: given, notes: [isTool ? (given.allowed ? 'allowed' : 'denied') : 'answered'] }
}

async function answerCell(
  approval: string,
  answer: string,
  options: ServerOptions & { readonly for: AnswerScope },
): Promise<Answer<Result<'answer'>>> {
  if (answer !== 'allow' && answer !== 'deny')
    throw new PaddockError('BAD_INPUT', `${answer} is not an answer.`, { hint: `Give: paddock answer ${approval} allow, or deny` })
  const scope = options.for
  const given = answered(
    await connectServer(options).POST('/api/v1/approvals/{approval}/answer', {
      params: { path: { approval } },
      body: { allowed: answer === 'allow', scope },
    }),
  )
  return { data: given, notes: [`${given.allowed ? 'allowed' : 'denied'} (${scope})`] }
}

function leftText(expiresAt: string | null): string {
  return expiresAt === null ? '-' : `${Math.max(0, Math.round((Date.parse(expiresAt) - Date.now()) / 1_000))} s`
}
