import { exitCodes, PaddockError } from '../../errors.ts'
import { printJson } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'

/** `paddock memory list` */
export async function listMemory(agent: string, options: ServerOptions): Promise<number> {
  const { items } = answered(await connectServer(options).GET('/api/v1/agents/{agent}/memory', { params: { path: { agent } } }))
  if (options.json === true) printJson({ items })
  else {
    const first = (text: string): string => text.trim().split('\n')[0]?.slice(0, 60) ?? ''
    const rows = items.map((each) => [
      each.job,
      each.state,
      each.origin ?? '-',
      each.at.slice(0, 16).replace('T', ' '),
      first(each.prompt),
      first(each.answer),
    ])
    for (const line of table(['JOB', 'STATE', 'FROM', 'ENDED', 'PROMPT', 'ANSWER'], rows)) process.stdout.write(`${line}\n`)
  }
  return exitCodes.done
}

/** `paddock memory forget`: one job, or with `all` every one. */
export async function forget(agent: string, job: string | undefined, options: ServerOptions & { readonly all?: boolean }): Promise<number> {
  if ((job === undefined) === (options.all !== true))
    throw new PaddockError('BAD_INPUT', 'paddock memory forget needs a job, or --all.', {
      hint: `paddock memory list ${agent} shows the jobs`,
    })
  const client = connectServer(options)
  if (job === undefined) answered(await client.DELETE('/api/v1/agents/{agent}/memory', { params: { path: { agent } } }))
  else answered(await client.DELETE('/api/v1/agents/{agent}/memory/{job}', { params: { path: { agent, job } } }))
  if (options.json === true) printJson({ forgotten: job ?? 'all' })
  else process.stdout.write(`${agent} has forgotten ${job ?? 'all of its jobs'}.\n`)
  return exitCodes.done
}
