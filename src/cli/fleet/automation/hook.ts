import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'
import { type PromptOptions, promptFrom } from '../jobs/prompt-from.ts'

/** Runs `paddock hook create`. */
export async function createHook(
  name: string,
  options: ServerOptions & PromptOptions & { readonly agent: string },
): Promise<Answer<Result<'hook create'>>> {
  const body = { name, agent: options.agent, prompt: await promptFrom(options) }
  const made = answered(await connectServer(options).POST('/api/v1/hooks', { body }))
  return {
    data: made,
    lines: [`path    ${made.path}`, `secret  ${made.secret}`],
    notes: [
      'the secret is shown only once. A delivery of "$body" is signed like this:',
      '  time=$(date +%s)',
      '  signature=$(printf %s.%s "$time" "$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d" " -f1)',
      '  curl -H "X-Paddock-Time: $time" -H "X-Paddock-Signature: $signature" --data-binary "$body" "$server$path"',
    ],
  }
}

/** Runs `paddock hook list`. */
export async function listHooks(options: ServerOptions): Promise<Answer<Result<'hook list'>>> {
  const { items } = answered(await connectServer(options).GET('/api/v1/hooks'))
  const rows = items.map((each) => [each.name, each.agent, each.lastJob ?? '-', each.path])
  return { data: { items }, lines: table(['NAME', 'AGENT', 'LAST JOB', 'PATH'], rows) }
}

/** Runs `paddock hook delete`. */
export async function deleteHook(name: string, options: ServerOptions): Promise<Answer<Result<'hook delete'>>> {
  answered(await connectServer(options).DELETE('/api/v1/hooks/{hook}', { params: { path: { hook: name } } }))
  return { data: { deleted: name }, lines: [`${name} is deleted; its jobs stay.`] }
}
