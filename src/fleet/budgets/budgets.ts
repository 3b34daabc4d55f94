import type { Budget, Prices } from '../../config/budget.ts'
import type { Agent } from '../store/agent-store.ts'
import type { UsageStore } from '../store/usage-store.ts'
import { type Allowance, type Allowances, allowancesOf, allowanceText } from './budget-allowance.ts'

/** The budgets in the configuration of a fleet. */
export interface BudgetOptions {
  readonly day?: Budget | undefined
  readonly month?: Budget | undefined
  readonly prices?: Prices | undefined
}

/** The budget that an agent has left at present. */
export interface AgentBudget {
  /** The limits of the agent's next job. */
  readonly allowances: Allowances
  /** The budget that is used up, or null if the agent may start a job. `until`: milliseconds since the epoch. */
  readonly usedUp: { readonly message: string; readonly until: number } | null
}

/** The use of one limit of a daily or monthly budget. */
export interface BudgetUse extends Pick<Allowance, 'unit' | 'limit'> {
  /** The id of the agent, or null for all agents together. */
  readonly agent: string | null
  readonly period: 'day' | 'month'
  readonly used: number
  /** The start and the end of the period, in milliseconds since the epoch. */
  readonly since: number
  readonly until: number
}

/** Compares the budgets of a fleet with the use of the jobs that have ended. */
export interface Budgets {
  of(agent: Agent): AgentBudget
  /** Returns the use of the fleet's budgets and of these agents' budgets. */
  used(agents: readonly Agent[]): readonly BudgetUse[]
  readonly prices: Prices
  /** The budgets of all agents together. */
  readonly fleet: Pick<BudgetOptions, 'day' | 'month'>
}

const nothing = { turns: 0, tokens: 0, usd: 0, time: 0 }

export function fleetBudgets({ day, month, prices = {} }: BudgetOptions, usage: UsageStore, now: () => Date): Budgets {
  const periodsOf = (id: string | null, { day, month }: Pick<BudgetOptions, 'day' | 'month'>) => {
    const { today, monthBegan, tomorrow, nextMonth } = daysAround(now())
    const whose = id === null ? 'the fleet' : 'the agent'
    return [
      { name: `the budget of ${whose} for the day`, period: 'day' as const, budget: day, from: today, until: tomorrow },
      { name: `the budget of ${whose} for the month`, period: 'month' as const, budget: month, from: monthBegan, until: nextMonth },
    ].flatMap(({ name, period, budget, from, until }) =>
      budget === undefined
        ? []
        : allowancesOf(name, budget, usage.spent(id, from, today)).map((each) => ({ ...each, period, since: Date.parse(from), until })),
    )
  }
  return {
    prices,
    fleet: { day, month },
    used(agents) {
      const uses = (agent: string | null, budgets: Pick<BudgetOptions, 'day' | 'month'>): BudgetUse[] =>
        periodsOf(agent, budgets).map(({ unit, limit, before, period, since, until }) => ({
          ...{ agent, period, unit, limit, used: before, since, until },
        }))
      return [...uses(null, { day, month }), ...agents.flatMap(({ id, manifest }) => uses(id, manifest.budgets ?? {}))]
    },
    of({ id, manifest: { budgets = {} } }) {
      const periods = [...periodsOf(id, budgets), ...periodsOf(null, { day, month })]
      const over = periods.filter((each) => each.before >= each.limit).sort((one, other) => other.until - one.until)[0]
      return {
        allowances: {
          limits: [
            ...(budgets.job === undefined ? [] : allowancesOf('the budget of the job', budgets.job, nothing)),
            ...periods.map(({ until: _, since: __, period: ___, ...each }) => each),
          ],
          prices,
        },
        usedUp: over === undefined ? null : { message: `${allowanceText(over, over.before)} is used up`, until: over.until },
      }
    },
  }
}

/** Returns today and the first of the month as `2026-01-31`, and the starts of the next day and month in epoch milliseconds, all in UTC. */
function daysAround(now: Date) {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const today = now.toISOString().slice(0, 10)
  return { today, monthBegan: `${today.slice(0, 7)}-01`, tomorrow: Date.UTC(year, month, day + 1), nextMonth: Date.UTC(year, month + 1, 1) }
}
