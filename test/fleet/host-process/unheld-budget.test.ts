import { expect, test } from 'vitest'
import type { Budget, Prices } from '../../../src/config/budget.ts'
import { jobLimits } from '../../../src/fleet/budgets/job-budget.ts'
import { refuseUnheld } from '../../../src/fleet/host-process/unheld-budget.ts'

const priced: Prices = { m: { input: 1, output: 1 } }
const refused = (manifest: Parameters<typeof refuseUnheld>[0], budget: Budget, prices: Prices = {}): boolean => {
  try {
    refuseUnheld(manifest, { limits: [...jobLimits(budget)], prices })
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'UNENFORCEABLE' })
    return true
  }
}

test('a job does not begin with a budget that its agent says nothing about', () => {
  expect(refused({ agent: 'command' }, { time: '1h' })).toBe(false)
  for (const budget of [{ usd: 1 }, { turns: 1 }, { tokens: 1, time: '1h' }])
    expect(refused({ agent: 'command' }, budget, priced), JSON.stringify(budget)).toBe(true)
  expect(refused({ agent: 'claude' }, { usd: 1, turns: 1, tokens: 1, time: '1h' })).toBe(false)
  expect(refused({ agent: 'codex', model: 'm' }, { turns: 1 })).toBe(false)
  expect(refused({ agent: 'codex', model: 'm' }, { usd: 1 })).toBe(true)
  expect(refused({ agent: 'codex', model: 'm' }, { usd: 1 }, priced)).toBe(false)
  expect(refused({ agent: 'codex' }, { usd: 1 }, priced)).toBe(true)
  expect(refused({ kind: 'model', agent: 'model', model: 'm' }, { usd: 1 }, priced)).toBe(false)
})

test('a budget that is shared with another job does not keep a job from starting', () => {
  const shared = { budget: 'the budget of the job of other', unit: 'usd', limit: 1, before: 0 } as const
  expect(() => refuseUnheld({ agent: 'command' }, { limits: [shared], prices: {} })).not.toThrow()
})
