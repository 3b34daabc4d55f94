import type { Spent } from '../budgets/budget-spent.ts'
import type { JobResult } from '../jobs/job.ts'
import type { FleetDatabase } from './database.ts'

/** `kind` is the program that runs: `claude`, `codex`, `command`. */
export const usageGroups = ['agent', 'kind', 'model', 'day'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** The use of jobs that ended within a range of days, as their agents reported it. */
export interface Usage {
  /** The number of jobs that have ended. */
  readonly jobs: number
  /** The number of ended jobs whose agent did not report a cost. */
  readonly unpriced: number
  /** Tokens; `cachedInput` is a part of `input`. */
  readonly input: number
  readonly output: number
  readonly cachedInput: number
  /** The cost that agents reported, in US dollars. */
  readonly costUsd: number
  readonly toolCalls: number
  /** The total duration of all jobs from start to end, in milliseconds. */
  readonly wallMs: number
}

export interface UsageQuery {
  readonly by: UsageGroup
  /** Days in UTC, both inclusive: `2026-01-31`. */
  readonly from: string
  readonly to: string
}

/** The use of one job. */
export type Used = Pick<JobResult, 'usage' | 'costUsd' | 'toolCalls' | 'turns' | 'cellMs' | 'startedAt' | 'endedAt'>

export interface DayUse {
  readonly day: string
  /** The name of the agent, kind or model (empty if not reported); null for all others together. */
  readonly name: string | null
  readonly jobs: number
  readonly tokens: number
  readonly costUsd: number
}

/** The use of a fleet, by day. Records are kept when agents and jobs are deleted. */
export interface UsageStore {
  /** Adds an ended job within the transaction of its end. */
  add(agent: string, used: Used): void
  /** Returns the use of one agent, or of all agents, between two days, both inclusive. */
  spent(agent: string | null, from: string, to: string): Spent
  /** Returns the use of each agent, kind or model on each day: the `most` largest by name, and the total of all others with a null name. */
  days(query: {
    readonly by: Exclude<UsageGroup, 'day'>
    readonly from: string
    readonly to: string
    readonly most: number
  }): readonly DayUse[]
  /** Returns the 200 largest groups, most expensive first, or days in order. `total` includes all groups. */
  read(query: UsageQuery): { readonly items: readonly (Usage & { readonly name: string })[]; readonly total: Usage }
}

const sums = `coalesce(sum(jobs), 0) AS jobs, coalesce(sum(unpriced), 0) AS unpriced, coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
  coalesce(sum(cached_input), 0) AS cachedInput, coalesce(sum(cost_usd), 0) AS costUsd, coalesce(sum(tool_calls), 0) AS toolCalls, coalesce(sum(wall_ms), 0) AS wallMs`
const groups: Readonly<Record<UsageGroup, { readonly column: string; readonly name: string; readonly order: string }>> = {
  agent: { column: 'agent_id', name: 'max(agent)', order: 'costUsd DESC, input + output DESC, name' },
  kind: { column: 'kind', name: 'kind', order: 'costUsd DESC, input + output DESC, name' },
  model: { column: 'model', name: 'model', order: 'costUsd DESC, input + output DESC, name' },
  day: { column: 'day', name: 'day', order: 'name DESC' },
}
const spent = `SELECT coalesce(sum(turns), 0) AS turns, coalesce(sum(input + output), 0) AS tokens, coalesce(sum(cost_usd), 0) AS usd,
  coalesce(sum(cell_ms), 0) AS time FROM usage`
const most = 200

/** The largest counts and the largest cost in US dollars of one job. Agents report these numbers, and Paddock adds them up for years. */
const [mostCounted, mostUsd] = [1e12, 1e6]
const whole = (value: number): number => Math.min(mostCounted, Math.max(0, Math.round(value)))

/** Returns the use that one job counts for. */
export function spentBy({ usage, costUsd, turns, cellMs }: Used): Spent {
  return {
    turns: whole(turns),
    tokens: whole(usage?.input ?? 0) + whole(usage?.output ?? 0),
    usd: Math.min(mostUsd, Math.max(0, costUsd ?? 0)),
    time: whole(cellMs),
  }
}

export function usageStore({ sql }: FleetDatabase): UsageStore {
  return {
    add(agent, used) {
      const { usage, costUsd, toolCalls, startedAt, endedAt } = used
      const { usd, turns, time } = spentBy(used)
      const wall = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt))
      sql(
        `INSERT INTO usage (day, agent_id, agent, kind, model, jobs, unpriced, input, output, cached_input, cost_usd, tool_calls, wall_ms, turns, cell_ms)
         VALUES (?1, ?2, coalesce((SELECT name FROM agents WHERE id = ?2), ?2), coalesce((SELECT manifest ->> '$.agent' FROM agents WHERE id = ?2), ''), ?3, 1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (day, agent_id, kind, model) DO UPDATE SET agent = excluded.agent, jobs = jobs + 1, unpriced = unpriced + excluded.unpriced,
           input = input + excluded.input, output = output + excluded.output, cached_input = cached_input + excluded.cached_input,
           cost_usd = cost_usd + excluded.cost_usd, tool_calls = tool_calls + excluded.tool_calls, wall_ms = wall_ms + excluded.wall_ms,
           turns = turns + excluded.turns, cell_ms = cell_ms + excluded.cell_ms`,
      ).run(
        endedAt.slice(0, 10),
        agent,
        usage?.model ?? '',
        costUsd === null ? 1 : 0,
        ...[usage?.input, usage?.output, usage?.cachedInput].map((each) => whole(each ?? 0)),
        usd,
        ...[toolCalls, wall].map(whole),
        ...[turns, time],
      )
    },
    spent(agent, from, to) {
      const found =
        agent === null
          ? sql(`${spent} WHERE day BETWEEN ? AND ?`).get(from, to)
          : sql(`${spent} WHERE agent_id = ? AND day BETWEEN ? AND ?`).get(agent, from, to)
      return found as unknown as Spent
    },
    days({ by, from, to, most }) {
      const { column, name } = groups[by]
      return sql(
        `WITH top AS (SELECT ${column} AS key, ${name} AS name FROM usage WHERE day BETWEEN ?1 AND ?2
           GROUP BY key ORDER BY sum(cost_usd) DESC, sum(input + output) DESC, name LIMIT ?3)
         SELECT day, top.name AS name, sum(jobs) AS jobs, sum(input + output) AS tokens, sum(cost_usd) AS costUsd
           FROM usage LEFT JOIN top ON top.key = ${column} WHERE day BETWEEN ?1 AND ?2 GROUP BY day, top.key ORDER BY day, costUsd DESC`,
      ).all(from, to, most) as unknown as readonly DayUse[]
    },
    read({ by, from, to }) {
      const { column, name, order } = groups[by]
      const items = sql(
        `SELECT ${name} AS name, ${sums} FROM usage WHERE day BETWEEN ? AND ? GROUP BY ${column} ORDER BY ${order} LIMIT ${most}`,
      ).all(from, to)
      const total = sql(`SELECT ${sums} FROM usage WHERE day BETWEEN ? AND ?`).get(from, to)
      return { items: items as unknown as (Usage & { name: string })[], total: total as unknown as Usage }
    },
  }
}
