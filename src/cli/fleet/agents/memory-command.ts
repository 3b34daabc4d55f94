import { PaddockError } from '../../../base/errors.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'

/** Runs `paddock memory list`. */
export async function listMemory(agent: string, options: ServerOptions): Promise<Answer<Result<'memory list'>>> {
  const { items } = answered(await connectServer(options).GET('/api/v1/agents/{agent}/memory', { params: { path: { agent } } }))
  const first = (text: string): string => text.trim().split('\n')[0]?.slice(0, 60) ?? ''
  const rows = items.map((each) => [
    each.job,
    each.state,
    each.origin ?? '-',
    each.at.slice(0, 16).replace('T', ' '),
    first(each.prompt),
    first(each.answer),
  ])
  return { data: { items }, lines: table(['JOB', 'STATE', 'FROM', 'ENDED', 'PROMPT', 'ANSWER'], rows) }
}

/** `paddock memory forget`: removes the memory of one job, or of all jobs with `all`. */
export async function forget(
  agent: string,
  job: string | undefined,
  options: ServerOptions & { readonly all?: boolean },
): Promise<Answer<Result<'memory forget'>>> {
  if ((job === undefined) === (options.all !== true))
    throw new PaddockError('BAD_INPUT', 'paddock memory forget needs a job, or --all.', {
      hint: `paddock memory list ${agent} shows the jobs`,
    })
  const client = connectServer(options)
  if (job === undefined) answered(await client.DELETE('/api/v1/agents/{agent}/memory', { params: { path: { agent } } }))
  else answered(await client.DELETE('/api/v1/agents/{agent}/memory/{job}', { params: { path: { agent, job } } }))
  return { data: { forgotten: job ?? 'all' }, lines: [`${agent} has forgotten ${job ?? 'all of its jobs'}.`] }
}
