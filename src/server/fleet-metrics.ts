import { Counter, Gauge, type Registry } from 'prom-client'
import type { Fleet } from '../fleet/fleet.ts'

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The most agents with their own use of a day; the use of all others has the label `other`. */
const mostAgents = 200

/** Adds metrics of a fleet. Each scrape reads counts and the use of today, so its cost does not depend on how many jobs have ended. */
export function measureFleet(registry: Registry, fleet: Pick<Fleet, 'load' | 'usage' | 'budgets' | 'agents'>): void {
  const gauge = (name: string, help: string, labelNames: readonly string[], read: () => Promise<readonly Sample[]>): void =>
    void new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      async collect() {
        const samples = await read()
        this.reset()
        for (const { labels, value } of samples) this.set(labels, value)
      },
    })
  const counter = (name: string, help: string, labelNames: readonly string[], read: () => readonly Sample[]): void =>
    void new Counter({
      ...{ name, help, labelNames, registers: [registry] },
      collect() {
        const samples = read()
        this.reset()
        for (const { labels, value } of samples) this.inc(labels, value)
      },
    })
  gauge('paddock_jobs', 'Jobs that have not ended. Without an agent, any free one may take them.', ['agent', 'state'], async () =>
    fleet.load().jobs.map(({ agent, state, jobs }) => ({ labels: { agent: agent ?? '', state }, value: jobs })),
  )
  gauge('paddock_oldest_queued_job_age_seconds', 'Age of the oldest queued job; 0 without one.', [], async () => {
    const { oldestQueuedAt } = fleet.load()
    return [{ labels: {}, value: oldestQueuedAt === null ? 0 : Math.max(0, Date.now() - Date.parse(oldestQueuedAt)) / 1_000 }]
  })
  gauge('paddock_agent_failing', '1 if the host process of the agent cannot be started, else 0.', ['agent'], async () =>
    fleet.load().agents.map(({ name, isFailing }) => ({ labels: { agent: name }, value: isFailing ? 1 : 0 })),
  )
  gauge('paddock_cells', 'Cells of jobs and of terminals.', ['kind'], async () => {
    const { cells } = fleet.load()
    return Object.entries(cells).map(([kind, value]) => ({ labels: { kind }, value }))
  })
  gauge(
    'paddock_budget_left_ratio',
    'The part of a budget that is left. Without an agent, it is of the fleet.',
    ['agent', 'period', 'unit'],
    async () => {
      const all = fleet.agents.list({ after: null, limit: 1_000, archived: false })
      const names = new Map(all.map(({ id, name }) => [id, name]))
      return fleet.budgets.used(all).map(({ agent, period, unit, limit, used }) => ({
        labels: { agent: agent === null ? '' : (names.get(agent) ?? agent), period, unit },
        value: Math.max(0, 1 - used / limit),
      }))
    },
  )
  const today = () => {
    const day = new Date().toISOString().slice(0, 10)
    return fleet.usage.days({ by: 'agent', from: day, to: day, most: mostAgents })
  }
  const uses = [
    ['paddock_agent_jobs_ended_total', 'Jobs that ended', 'jobs'],
    ['paddock_agent_tokens_total', 'Tokens that agents reported', 'tokens'],
    ['paddock_agent_cost_usd_total', 'US dollars that agents reported', 'costUsd'],
  ] as const
  for (const [name, help, key] of uses)
    counter(name, `${help}; starts again at 0 every day (UTC).`, ['agent'], () =>
      today().map((each) => ({ labels: { agent: each.name ?? 'other' }, value: each[key] })),
    )
}
