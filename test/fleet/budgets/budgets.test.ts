import { expect, test } from 'vitest'
import type { Budget } from '../../../src/config/budget.ts'
import { fleetBudgets } from '../../../src/fleet/budgets/budgets.ts'
import { openTestStore } from '../../support/fleet-store.ts'

const used = (day: string, tokens: number) => ({
  usage: { input: tokens, output: 0, cachedInput: 0, model: null },
  costUsd: 0.5,
  toolCalls: 1,
  turns: 2,
  cellMs: 1_000,
  startedAt: `${day}T10:00:00.000Z`,
  endedAt: `${day}T10:00:01.000Z`,
})

test('an agent has what its own budgets and those of the fleet leave, of only this day and this month', async () => {
  using store = await openTestStore()
  const agent = store.agents.create({ name: 'a', agent: 'claude', budgets: { job: { turns: 10 }, day: { tokens: 100 } } }, null)
  const other = store.agents.create({ name: 'b', agent: 'claude', budgets: { month: { usd: 100 } } }, null)
  store.usage.add(agent.id, used('2026-02-27', 1_000))
  store.usage.add(agent.id, used('2026-02-28', 40))
  store.usage.add(other.id, used('2026-02-28', 30))
  const at = (text: string, fleet: { day?: Budget; month?: Budget } = {}) => fleetBudgets(fleet, store.usage, () => new Date(text))
  const now = at('2026-02-28T23:00:00Z')
  expect(now.of(agent)).toEqual({
    allowances: {
      limits: [
        { budget: 'the budget of the job', unit: 'turns', limit: 10, before: 0 },
        { budget: 'the budget of the agent for the day', unit: 'tokens', limit: 100, before: 40 },
      ],
      prices: {},
    },
    usedUp: null,
  })
  store.usage.add(agent.id, used('2026-02-28', 60))
  expect(now.of(agent).usedUp).toEqual({
    message: 'the budget of the agent for the day (100 of 100 tokens) is used up',
    until: Date.parse('2026-03-01T00:00:00Z'),
  })
  expect(at('2026-03-01T00:00:00Z').of(agent).usedUp).toBeNull()
  expect(now.of(other).usedUp).toBeNull()
  const fleet = at('2026-02-28T23:00:00Z', { day: { turns: 6 }, month: { usd: 1.5 } })
  expect(fleet.of(other).usedUp?.message).toBe('the budget of the fleet for the day (6 of 6 turns) is used up')
  expect(at('2026-02-27T23:00:00Z', { month: { time: '1s' } }).of(other).usedUp).toEqual({
    message: 'the budget of the fleet for the month (1.0 s of 1.0 s) is used up',
    until: Date.parse('2026-03-01T00:00:00Z'),
  })
})

test('usage that an agent reports is never negative, and can always be stored', async () => {
  using store = await openTestStore()
  const agent = store.agents.create({ name: 'a', agent: 'claude' }, null)
  for (const [tokens, usd] of [
    [1e300, 1e300],
    [-5, -1e9],
    [0.4, Number.MAX_VALUE],
  ] as const)
    store.usage.add(agent.id, { ...used('2026-02-28', tokens), costUsd: usd })
  expect(store.usage.spent(agent.id, '2026-02-28', '2026-02-28')).toEqual({ tokens: 1e12, usd: 2e6, turns: 6, time: 3_000 })
})
