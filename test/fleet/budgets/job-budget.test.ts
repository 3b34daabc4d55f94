import { expect, test } from 'vitest'
import { followUp } from '../../../src/fleet/agents/lost-job.ts'
import { budgetGiven, jobLimits } from '../../../src/fleet/budgets/job-budget.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'

const own = { budget: 'the budget of the job of other', unit: 'turns', limit: 5, before: 1 } as const

test('a budget given with a job is a limit of its own, and is found again among others', () => {
  const limits = jobLimits({ usd: 2, time: '90s' })
  expect(limits).toEqual([
    { budget: 'the budget given with the job', unit: 'usd', limit: 2, before: 0 },
    { budget: 'the budget given with the job', unit: 'time', limit: 90_000, before: 0 },
  ])
  expect(budgetGiven([own, ...limits])).toEqual({ usd: 2, time: '90s' })
  for (const time of ['2h', '5m', '90s', '1500ms']) expect(budgetGiven(jobLimits({ time }))).toEqual({ time })
  expect(budgetGiven([own])).toBeNull()
})

test('a key stands for one job with one budget', async () => {
  using store = await openTestStore()
  const keyed = { ...plainJob, idempotencyKey: 'k', limits: jobLimits({ usd: 1 }) }
  const { job } = store.jobs.put(keyed)
  expect(store.jobs.put(keyed).job.id).toBe(job.id)
  expect(() => store.jobs.put({ ...keyed, limits: jobLimits({ usd: 2 }) })).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
  expect(() => store.jobs.put({ ...keyed, limits: [] })).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
})

test('a job that follows a lost one has what that one left of the budget', async () => {
  using store = await openTestStore()
  const agent = store.agents.create({ name: 'one', agent: 'claude', restart: 'again' }, null)
  const { job } = store.jobs.put({ ...plainJob, agent: agent.id, limits: jobLimits({ usd: 2, turns: 9 }) })
  const used = {
    ...{ usage: null, costUsd: 0.5, toolCalls: 1, turns: 3, cellMs: 4_000 },
    ...{ startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T00:00:04Z' },
  }
  const next = await followUp(job, agent.manifest, null, store.jobs, used)
  const second = store.jobs.put(next ?? plainJob)
  expect(store.jobs.limits(second.job.id).map(({ unit, limit, before }) => [unit, limit, before])).toEqual([
    ['turns', 9, 3],
    ['usd', 2, 0.5],
  ])
  expect(budgetGiven(store.jobs.limits(second.job.id))).toEqual({ turns: 9, usd: 2 })
  const third = await followUp({ ...second.job, attempt: 2 }, agent.manifest, null, store.jobs, null)
  expect(third?.limits).toEqual(store.jobs.limits(second.job.id))
})
