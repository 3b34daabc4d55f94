import { exitCodes } from '../../errors.ts'
import { printJson, say } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'
import { type PromptOptions, promptFrom } from './prompt-from.ts'

/** `paddock hook create` */
export async function createHook(name: string, options: ServerOptions & PromptOptions & { readonly agent: string }): Promise<number> {
  const body = { name, agent: options.agent, prompt: await promptFrom(options) }
  const made = answered(await connectServer(options).POST('/api/v1/hooks', { body }))
  if (options.json === true) printJson(made)
  else {
    process.stdout.write(`path    ${made.path}\nsecret  ${made.secret}\n`)
    say('the secret is shown this once. A delivery of "$body" is signed like this:')
    say('  time=$(date +%s)')
    say('  signature=$(printf %s.%s "$time" "$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d" " -f1)')
    say('  curl -H "X-Paddock-Time: $time" -H "X-Paddock-Signature: $signature" --data-binary "$body" "$server$path"')
  }
  return exitCodes.done
}

/** `paddock hook list` */
export async function listHooks(options: ServerOptions): Promise<number> {
  const { items } = answered(await connectServer(options).GET('/api/v1/hooks'))
  if (options.json === true) printJson({ items })
  else {
    const rows = items.map((each) => [each.name, each.agent, each.lastJob ?? '-', each.path])
    for (const line of table(['NAME', 'AGENT', 'LAST JOB', 'PATH'], rows)) process.stdout.write(`${line}\n`)
  }
  return exitCodes.done
}

/** `paddock hook delete` */
export async function deleteHook(name: string, options: ServerOptions): Promise<number> {
  answered(await connectServer(options).DELETE('/api/v1/hooks/{hook}', { params: { path: { hook: name } } }))
  if (options.json === true) printJson({ deleted: name })
  else process.stdout.write(`${name} is deleted; its jobs stay.\n`)
  return exitCodes.done
}
