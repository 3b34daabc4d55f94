import type { paths } from '../../client/api.ts'
import { exitCodes, PaddockError } from '../../errors.ts'
import { formatDuration } from '../../quantities.ts'
import { printable } from '../../text.ts'
import { printJson, say } from '../terminal/output.ts'
import { table } from '../terminal/table.ts'
import { budgetFrom } from './budget-amounts.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'

type Lease = paths['/api/v1/leases/{lease}']['get']['responses'][200]['content']['application/json']

export interface LeaseOptions extends ServerOptions {
  readonly name: string
  readonly expires: string
  readonly budget: readonly string[]
  readonly topicsAllow: readonly string[]
  readonly topicsDeny: readonly string[]
  readonly tool: readonly string[]
  readonly terminal: string
}

/** `paddock lease create` */
export async function createLease(agent: string, options: LeaseOptions): Promise<number> {
  const { name, expires, topicsAllow, topicsDeny, tool, terminal } = options
  if (terminal !== 'read' && terminal !== 'type') throw new PaddockError('BAD_INPUT', `--terminal ${terminal} is neither read nor type.`)
  const budget = budgetFrom(options.budget)
  const topics = {
    ...(topicsAllow.length === 0 ? {} : { allow: [...topicsAllow] }),
    ...(topicsDeny.length === 0 ? {} : { deny: [...topicsDeny] }),
  }
  const body = {
    ...{ name, agent, expires },
    ...(budget === null ? {} : { budget }),
    ...(Object.keys(topics).length === 0 ? {} : { topics }),
    ...(tool.length === 0 ? {} : { tools: [...tool] }),
    ...(terminal === 'read' ? {} : { terminal: 'type' as const }),
  }
  const made = answered(await connectServer(options).POST('/api/v1/leases', { body }))
  if (options.json === true) printJson(made)
  else {
    process.stdout.write(`${made.token}\n`)
    say(`${made.lease.agent} is lent until ${made.lease.expiresAt}. The token is shown this once; to end it: paddock lease revoke ${name}`)
    if (made.lease.terminal === 'type') say('In its terminal neither topics nor the budget hold.')
  }
  return exitCodes.done
}

/** `paddock lease list` */
export async function listLeases(options: ServerOptions): Promise<number> {
  const { items } = answered(await connectServer(options).GET('/api/v1/leases'))
  if (options.json === true) printJson({ items })
  else {
    const rows = items.map((each) => [each.name, each.agent, each.state, each.expiresAt, leftText(each)])
    for (const line of table(['NAME', 'AGENT', 'STATE', 'EXPIRES', 'LEFT'], rows)) process.stdout.write(`${line}\n`)
  }
  return exitCodes.done
}

/** `paddock lease show` */
export async function showLease(name: string, options: ServerOptions): Promise<number> {
  const client = connectServer(options)
  const lease = answered(await client.GET('/api/v1/leases/{lease}', at(name)))
  const { items: jobs } = answered(await client.GET('/api/v1/jobs', { params: { query: { lease: lease.id, limit: 10 } } }))
  if (options.json === true) printJson({ ...lease, jobs })
  else {
    const { topics, tools } = lease
    const facts = [
      ...[['name', lease.name] as const, ['id', lease.id] as const, ['agent', lease.agent] as const, ['state', lease.state] as const],
      ...[['expires', lease.expiresAt] as const, ['left', leftText(lease)] as const, ['tools', tools?.join(', ') ?? 'all'] as const],
      ...(topics?.allow ?? []).map((each) => ['allow', each] as const),
      ...(topics?.deny ?? []).map((each) => ['deny', each] as const),
    ]
    for (const [key, value] of facts) process.stdout.write(`${key.padEnd(9)}${printable(value)}\n`)
    const rows = jobs.map((each) => [each.id, each.state, each.requestedBy, each.createdAt, each.promptStart.slice(0, 60)])
    if (rows.length > 0)
      for (const line of ['', ...table(['JOB', 'STATE', 'BY', 'GIVEN', 'PROMPT'], rows)]) process.stdout.write(`${line}\n`)
  }
  return exitCodes.done
}

/** `paddock lease revoke` */
export async function revokeLease(name: string, options: ServerOptions): Promise<number> {
  const lease = answered(await connectServer(options).DELETE('/api/v1/leases/{lease}', at(name)))
  if (options.json === true) printJson(lease)
  else process.stdout.write(`${lease.name} is ${lease.state}; its jobs are ended.\n`)
  return exitCodes.done
}

const at = (lease: string) => ({ params: { path: { lease } } })

function leftText({ budget, left }: Pick<Lease, 'budget' | 'left'>): string {
  if (budget === null) return 'no budget'
  return Object.entries(left)
    .map(([unit, value = 0]) => (unit === 'time' ? formatDuration(value) : `${Number(value.toFixed(4))} ${unit === 'usd' ? 'USD' : unit}`))
    .join(', ')
}
