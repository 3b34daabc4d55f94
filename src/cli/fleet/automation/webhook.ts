import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { exitCodes } from '../../../base/errors.ts'
import type { components, operations } from '../../../client/api.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'

type Webhook = components['schemas']['Webhook']
type Outcome = NonNullable<Webhook['last']>
type Wish = operations['createWebhook']['requestBody']['content']['application/json']

/** Runs `paddock webhook add`. */
export async function addWebhook(
  name: string,
  url: string,
  options: ServerOptions & { readonly event: readonly string[]; readonly secretFile?: string },
): Promise<Answer<Result<'webhook add'>>> {
  const { secretFile, event } = options
  const given = secretFile === undefined ? null : secretFile === '-' ? await text(process.stdin) : readFileSync(secretFile, 'utf8')
  // The server refuses unknown kinds of events, and lists the known ones.
  const events = event.length === 0 ? {} : { events: [...event] as NonNullable<Wish['events']> }
  const body: Wish = { name, url, ...events, secret: given?.trim() ?? null }
  const made = answered(await connectServer(options).POST('/api/v1/webhooks', { body }))
  const line = `${made.name} sends ${made.events.join(', ')} to ${made.url}`
  if (given !== null) return { data: made, lines: [line] }
  return {
    data: made,
    lines: [line, `secret  ${made.secret}`],
    notes: [
      'the secret is shown only once. The receiver checks X-Paddock-Signature of a body "$body" like this:',
      '  printf %s.%s "$x_paddock_time" "$body" | openssl dgst -sha256 -hmac "$secret" -r | cut -d" " -f1',
    ],
  }
}

/** Runs `paddock webhook list`. */
export async function listWebhooks(options: ServerOptions): Promise<Answer<Result<'webhook list'>>> {
  const { items } = answered(await connectServer(options).GET('/api/v1/webhooks'))
  const rows = items.map((each) => [each.name, each.url, each.events.join(','), newestOf(each)])
  return { data: { items }, lines: table(['NAME', 'URL', 'EVENTS', 'NEWEST'], rows) }
}

/** Runs `paddock webhook show`. */
export async function showWebhook(name: string, options: ServerOptions): Promise<Answer<Result<'webhook show'>>> {
  const webhook = answered(await connectServer(options).GET('/api/v1/webhooks/{webhook}', { params: at(name) }))
  const head = [`name    ${webhook.name}`, `url     ${webhook.url}`, `events  ${webhook.events.join(', ')}`]
  const rows = webhook.outcomes.map((each) => [String(each.event), each.kind ?? '-', each.at, String(each.attempts), stateOf(each)])
  return {
    data: webhook,
    lines: [
      ...head,
      ...(webhook.paused ? ['paused'] : []),
      ...(rows.length === 0 ? [] : table(['EVENT', 'KIND', 'AT', 'ATTEMPTS', 'OUTCOME'], rows)),
    ],
  }
}

/** Runs `paddock webhook pause`. */
export async function pauseWebhook(name: string, options: ServerOptions): Promise<Answer<Webhook>> {
  const webhook = answered(await connectServer(options).POST('/api/v1/webhooks/{webhook}/pause', { params: at(name) }))
  return { data: webhook, lines: [`${name} sends nothing until it is resumed.`] }
}

/** Runs `paddock webhook resume`. */
export async function resumeWebhook(name: string, options: ServerOptions): Promise<Answer<Webhook>> {
  const webhook = answered(await connectServer(options).POST('/api/v1/webhooks/{webhook}/resume', { params: at(name) }))
  return { data: webhook, lines: [`${name} sends events from now on.`] }
}

/** Runs `paddock webhook test`. */
export async function testWebhook(name: string, options: ServerOptions): Promise<Answer<Result<'webhook test'>>> {
  const answer = answered(await connectServer(options).POST('/api/v1/webhooks/{webhook}/test', { params: at(name) }))
  return {
    data: answer,
    lines: [answer.problem ?? `Accepted (${answer.status}).`],
    exitCode: answer.problem === null ? exitCodes.done : exitCodes.no,
  }
}

/** Runs `paddock webhook remove`. */
export async function removeWebhook(name: string, options: ServerOptions): Promise<Answer<Result<'webhook remove'>>> {
  answered(await connectServer(options).DELETE('/api/v1/webhooks/{webhook}', { params: at(name) }))
  return { data: { removed: name }, lines: [`${name} is removed.`] }
}

const at = (webhook: string) => ({ path: { webhook } })

function newestOf({ paused, last }: Webhook): string {
  return paused ? 'paused' : last === null ? '-' : stateOf(last)
}

function stateOf({ state, problem, nextAt }: Outcome): string {
  const again = nextAt === null ? '' : ` Next attempt: ${nextAt}.`
  return problem === null ? state : `${state}: ${problem}${again}`
}
