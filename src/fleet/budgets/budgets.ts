import type { Budget, Prices } from '../../config/budget.ts'
import type { Agent } from '../store/agents.ts'
import type { UsageStore } from '../store/usage.ts'
import { type Allowances, allowancesOf, allowanceText } from './allowance.ts'

/** What the configuration of a fleet says of what it may use. */
export interface BudgetOptions {
  readonly day?: Budget | undefined
  readonly month?: Budget | undefined
  readonly prices?: Prices | undefined
}

/** What an agent may use now. */
export interface AgentBudget {
  /** For its next job. */
  readonly allowances: Allowances
  /** Null: it may begin a job. `until`: milliseconds since the epoch. */
  readonly usedUp: { readonly message: string; readonly until: number } | null
}

/** The budgets of a fleet, held against what its jobs that have ended used. */
export interface Budgets {
  of(agent: Agent): AgentBudget
  readonly prices: Prices
  /** Those of all agents together. */
  readonly fleet: Pick<BudgetOptions, 'day' | 'month'>
}

const nothing = { turns: 0, tokens: 0, usd: 0, time: 0 }

export function fleetBudgets({ day, month, prices = {} }: BudgetOptions, usage: UsageStore, now: () => Date): Budgets {
  return {
    prices,
    fleet: { day, month },
    of({ id, manifest: { budgets = {} } }) {
      const { today, monthBegan, tomorrow, nextMonth } = daysAround(now())
      const periods = [
        { name: 'the budget of the agent for the day', budget: budgets.day, agent: id, from: today, until: tomorrow },
        { name: 'the budget of the agent for the month', budget: budgets.month, agent: id, from: monthBegan, until: nextMonth },
        { name: 'the budget of the fleet for the day', budget: day, agent: null, from: today, until: tomorrow },
        { name: 'the budget of the fleet for the month', budget: month, agent: null, from: monthBegan, until: nextMonth },
      ].flatMap(({ name, budget, agent, from, until }) =>
        budget === undefined ? [] : allowancesOf(name, budget, usage.spent(agent, from, today)).map((each) => ({ ...each, until })),
      )
      const over = periods.filter((each) => each.before >= each.limit).sort((one, other) => other.until - one.until)[0]
      return {
        allowances: {
          limits: [
            ...(budgets.job === undefined ? [] : allowancesOf('the budget of the job', budgets.job, nothing)),
            ...periods.map(({ until: _, ...each }) => each),
          ],
          prices,
        },
        usedUp: over === undefined ? null : { message: `${allowanceText(over, over.before)} is used up`, until: over.until },
      }
    },
  }
}

/** Days as `2026-01-31`, ends in milliseconds since the epoch; all of UTC. */
function daysAround(now: Date) {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const today = now.toISOString().slice(0, 10)
  return { today, monthBegan: `${today.slice(0, 7)}-01`, tomorrow: Date.UTC(year, month, day + 1), nextMonth: Date.UTC(year, month + 1, 1) }
}
