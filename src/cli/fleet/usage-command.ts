import { formatDuration } from '../../base/quantities.ts'
import { printable } from '../../base/text.ts'
import type { paths } from '../../client/api.ts'
import type { Result } from '../results.ts'
import type { Answer } from '../terminal/command-answer.ts'
import { table } from '../terminal/table.ts'
import { answered, connectServer, type ServerOptions } from './connect.ts'

type UsageAnswer = paths['/api/v1/usage']['get']['responses'][200]['content']['application/json']
type Usage = UsageAnswer['total']
type Group = NonNullable<NonNullable<paths['/api/v1/usage']['get']['parameters']['query']>['by']>

/** Runs `paddock usage`. */
export async function showUsage(
  options: ServerOptions & { readonly by: Group; readonly from?: string; readonly to?: string },
): Promise<Answer<Result<'usage'>>> {
  const { by, from, to } = options
  const query = { by, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  const usage = answered(await connectServer(options).GET('/api/v1/usage', { params: { query } }))
  return { data: usage, lines: usageLines(by, usage) }
}

function usageLines(by: Group, { from, to, items, total }: UsageAnswer): readonly string[] {
  if (total.jobs === 0) return [`No job ended from ${from} to ${to} (UTC).`]
  const rows = [...items.map((each) => row(each.name === '' ? 'not reported' : printable(each.name), each)), row('all', total)]
  const lines = table([by.toUpperCase(), 'JOBS', 'COST', 'IN', 'CACHED', 'OUT', 'TOOL CALLS', 'TIME'], rows)
  const unpriced = total.unpriced === 0 ? [] : [`${total.unpriced} of ${total.jobs} jobs did not report their cost.`]
  return [...lines, `from ${from} to ${to} (UTC)`, ...unpriced]
}

function row(name: string, each: Usage): readonly string[] {
  const cost = each.unpriced === each.jobs ? '-' : `$${each.costUsd.toFixed(each.costUsd < 0.1 ? 4 : 2)}`
  const counts = [each.input, each.cachedInput, each.output, each.toolCalls].map((value) => value.toLocaleString('en-US'))
  return [name, String(each.jobs), cost, ...counts, formatDuration(each.wallMs)]
}
