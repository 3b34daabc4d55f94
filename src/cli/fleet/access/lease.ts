import { formatDuration } from '../../../base/quantities.ts'
import type { paths } from '../../../client/api.ts'
import type { Result } from '../../results.ts'
import type { Answer } from '../../terminal/command-answer.ts'
import { table } from '../../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from '../connect.ts'
import { budgetFrom } from '../jobs/budget-amounts.ts'

type Lease = paths['/api/v1/leases/{lease}']['get']['responses'][200]['content']['application/json']

export interface LeaseOptions extends ServerOptions {
  readonly name: string
  readonly expires: string
  readonly budget: readonly string[]
  readonly topicsAllow: readonly string[]
  readonly topicsDeny: readonly string[]
  readonly tool: readonly string[]
  readonly terminal: 'read' | 'type'
}

/** Runs `paddock lease create`. */
export async function createLease(agent: string, options: LeaseOptions): Promise<Answer<Result<'lease create'>>> {
  const { name, expires, topicsAllow, topicsDeny, tool, terminal } = options
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
  const { lease } = made
  return {
    data: made,
    lines: [made.token],
    notes: [
      `${lease.agent} is lent until ${lease.expiresAt}. The token is shown only once; to end the lease: paddock lease revoke ${name}`,
      ...(lease.terminal === 'type' ? ['Topics and the budget do not apply in its terminal.'] : []),
    ],
  }
}

/** Runs `paddock lease list`. */
export async function listLeases(options: ServerOptions): Promise<Answer<Result<'lease list'>>> {
  const { items } = answered(await connectServer(options).GET('/api/v1/leases'))
  const rows = items.map((each) => [each.name, each.agent, each.state, each.expiresAt, leftText(each)])
  return { data: { items }, lines: table(['NAME', 'AGENT', 'STATE', 'EXPIRES', 'LEFT'], rows) }
}

/** Runs `paddock lease show`. */
export async function showLease(name: string, options: ServerOptions): Promise<Answer<Result<'lease show'>>> {
  const client = connectServer(options)
  const lease = answered(await client.GET('/api/v1/leases/{lease}', at(name)))
  const { items: jobs } = answered(await client.GET('/api/v1/jobs', { params: { query: { lease: lease.id, limit: 10 } } }))
  const { topics, tools } = lease
  const facts: readonly (readonly [string, string])[] = [
    ['name', lease.name],
    ['id', lease.id],
    ['agent', lease.agent],
    ['state', lease.state],
    ['expires', lease.expiresAt],
    ['left', leftText(lease)],
    ['tools', tools?.join(', ') ?? 'all'],
    ...(topics?.allow ?? []).map((each) => ['allow', each] as const),
    ...(topics?.deny ?? []).map((each) => ['deny', each] as const),
  ]
  const rows = jobs.map((each) => [each.id, each.state, each.requestedBy, each.createdAt, each.promptStart.slice(0, 60)])
  return {
    data: { ...lease, jobs },
    lines: [
      ...facts.map(([key, value]) => `${key.padEnd(9)}${value}`),
      ...(rows.length === 0 ? [] : ['', ...table(['JOB', 'STATE', 'BY', 'GIVEN', 'PROMPT'], rows)]),
    ],
  }
}

/** Runs `paddock lease revoke`. */
export async function revokeLease(name: string, options: ServerOptions): Promise<Answer<Result<'lease revoke'>>> {
  const lease = answered(await connectServer(options).DELETE('/api/v1/leases/{lease}', at(name)))
  return { data: lease, lines: [`${lease.name} is ${lease.state}; its jobs have ended.`] }
}

const at = (lease: string) => ({ params: { path: { lease } } })

function leftText({ budget, left }: Pick<Lease, 'budget' | 'left'>): string {
  if (budget === null) return 'no budget'
  return Object.entries(left)
    .map(([unit, value = 0]) => (unit === 'time' ? formatDuration(value) : `${Number(value.toFixed(4))} ${unit === 'usd' ? 'USD' : unit}`))
    .join(', ')
}
