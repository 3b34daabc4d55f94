import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { components, operations } from '../../client/api.ts'
import { exitCodes } from '../../errors.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'

type Webhook = components['schemas']['Webhook']
type Outcome = NonNullable<Webhook['last']>
type Wish = operations['createWebhook']['requestBody']['content']['application/json']

/** `paddock webhook add` */
export async function addWebhook(
  name: string,
  url: string,
  options: ServerOptions & { readonly event: readonly string[]; readonly secretFile?: string },
): Promise<number> {
  const { secretFile, event } = options
  const given = secretFile === undefined ? null : secretFile === '-' ? await text(process.stdin) : readFileSync(secretFile, 'utf8')
  // What is not a kind of event is refused by the server, with all that are.
  const events = event.length === 0 ? {} : { events: [...event] as NonNullable<Wish['events']> }
  const body: Wish = { name, url, ...events, secret: given?.trim() ?? null }
  const made = answered(await connectServer(options).POST('/api/v1/webhooks', { body }))
  if (options.json === true) printJson(made)
  else {
    process.stdout.write(`${printable(made.name)} sends ${made.events.join(', ')} to ${printable(made.url)}\n`)
    if (given === null) {
      process.stdout.write(`secret  ${made.secret}\n`)
      say('the secret is shown this once. The receiver checks X-Paddock-Signature of a body "$body" like this:')
      say('  printf %s.%s "$x_paddock_time" "$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d" " -f1')
    }
  }
  return exitCodes.done
}

/** `paddock webhook list` */
export async function listWebhooks(options: ServerOptions): Promise<number> {
  const { items } = answered(await connectServer(options).GET('/api/v1/webhooks'))
  if (options.json === true) printJson({ items })
  else {
    const rows = items.map((each) => [each.name, each.url, each.events.join(','), newestOf(each)])
    for (const line of table(['NAME', 'URL', 'EVENTS', 'NEWEST'], rows)) process.stdout.write(`${line}\n`)
  }
  return exitCodes.done
}

/** `paddock webhook show` */
export async function showWebhook(name: string, options: ServerOptions): Promise<number> {
  const webhook = answered(await connectServer(options).GET('/api/v1/webhooks/{webhook}', { params: at(name) }))
  if (options.json === true) {
    printJson(webhook)
    return exitCodes.done
  }
  const head = [`name    ${webhook.name}`, `url     ${webhook.url}`, `events  ${webhook.events.join(', ')}`]
  for (const line of webhook.paused ? [...head, 'paused'] : head) process.stdout.write(`${printable(line)}\n`)
  const rows = webhook.outcomes.map((each) => [String(each.event), each.kind ?? '-', each.at, String(each.attempts), stateOf(each)])
  if (rows.length > 0) for (const line of table(['EVENT', 'KIND', 'AT', 'ATTEMPTS', 'OUTCOME'], rows)) process.stdout.write(`${line}\n`)
  return exitCodes.done
}

/** `paddock webhook pause` */
export async function pauseWebhook(name: string, options: ServerOptions): Promise<number> {
  const webhook = answered(await connectServer(options).POST('/api/v1/webhooks/{webhook}/pause', { params: at(name) }))
  return said(webhook, `${name} sends nothing until it is resumed.`, options)
}

/** `paddock webhook resume` */
export async function resumeWebhook(name: string, options: ServerOptions): Promise<number> {
  const webhook = answered(await connectServer(options).POST('/api/v1/webhooks/{webhook}/resume', { params: at(name) }))
  return said(webhook, `${name} sends what happens from now on.`, options)
}

/** `paddock webhook test` */
export async function testWebhook(name: string, options: ServerOptions): Promise<number> {
  const answer = answered(await connectServer(options).POST('/api/v1/webhooks/{webhook}/test', { params: at(name) }))
  if (options.json === true) printJson(answer)
  else process.stdout.write(`${printable(answer.problem ?? `Taken: ${answer.status}.`)}\n`)
  return answer.problem === null ? exitCodes.done : exitCodes.no
}

/** `paddock webhook remove` */
export async function removeWebhook(name: string, options: ServerOptions): Promise<number> {
  answered(await connectServer(options).DELETE('/api/v1/webhooks/{webhook}', { params: at(name) }))
  return said({ removed: name }, `${name} is removed.`, options)
}

const at = (webhook: string) => ({ path: { webhook } })

function said(data: unknown, line: string, options: ServerOptions): number {
  if (options.json === true) printJson(data)
  else process.stdout.write(`${printable(line)}\n`)
  return exitCodes.done
}

function newestOf({ paused, last }: Webhook): string {
  return paused ? 'paused' : last === null ? '-' : stateOf(last)
}

function stateOf({ state, problem, nextAt }: Outcome): string {
  const again = nextAt === null ? '' : ` Next attempt: ${nextAt}.`
  return problem === null ? state : `${state}: ${problem}${again}`
}
