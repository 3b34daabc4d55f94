import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/adapters/output/agent-events.ts'
import type { Budget, Prices } from '../../../src/config/budget.ts'
import { allowancesOf } from '../../../src/fleet/budgets/budget-allowance.ts'
import type { Spent } from '../../../src/fleet/budgets/budget-spent.ts'
import { Meter } from '../../../src/fleet/budgets/meter.ts'

const nothing: Spent = { turns: 0, tokens: 0, usd: 0, time: 0 }

function metered(budget: Budget, { before = nothing, prices = {} }: { before?: Spent; prices?: Prices } = {}) {
  const near: string[] = []
  const clock = { ms: 0 }
  let ends = 0
  const meter = new Meter(
    { limits: allowancesOf('the budget of the job', budget, before), prices },
    { near: (message) => near.push(message), usedUp: () => ends++ },
    () => clock.ms,
  )
  const usage = (input: number, output: number, model: string | null = null, cachedInput = 0): void =>
    meter.event({ type: 'usage', usage: { input, output, cachedInput, model } })
  const step = (): void => {
    const events: AgentEvent[] = [
      { type: 'text', text: 'I look' },
      { type: 'tool-call', id: '1', name: 'sh', input: {} },
      { type: 'tool-call', id: '2', name: 'sh', input: {} },
      { type: 'tool-result', id: '1', ok: true, text: '' },
      { type: 'tool-result', id: '2', ok: true, text: '' },
    ]
    for (const each of events) meter.event(each)
  }
  return { meter, near, clock, usage, step, ends: () => ends }
}

test('a turn is an answer of the model with all of its calls; the last that a budget pays for may end', () => {
  const { meter, near, step, ends } = metered({ turns: 5 })
  for (let each = 0; each < 3; each++) step()
  expect([meter.turns, near, ends()]).toEqual([3, [], 0])
  step()
  expect(near).toEqual(['The budget of the job (4 of 5 turns) is nearly used up.'])
  step()
  expect([meter.turns, near.length, ends()]).toEqual([5, 1, 0])
  meter.event({ type: 'text', text: 'one more' })
  expect([meter.over, ends()]).toEqual(['the budget of the job (6 of 5 turns) is used up', 1])
  step()
  expect(ends()).toBe(1)
})

test('tokens are totals of a cell, and those of the next cell come on top', () => {
  const { meter, usage, ends } = metered({ tokens: 1_000 })
  meter.start()
  usage(300, 50)
  usage(400, 100)
  meter.stop()
  meter.start()
  usage(400, 99)
  expect(ends()).toBe(0)
  usage(400, 100)
  expect(meter.over).toBe('the budget of the job (1,000 of 1,000 tokens) is used up')
  meter.stop()
})

test("other jobs' use of a budget counts, and a job learns that at its start", () => {
  const { meter, near } = metered({ time: '1m' }, { before: { ...nothing, time: 50_000 } })
  meter.start()
  expect(near).toEqual(['The budget of the job (50.0 s of 1 min 00 s) is nearly used up.'])
  meter.stop()
  const late = metered({ usd: 2 }, { before: { ...nothing, usd: 2.5 } })
  late.meter.start()
  expect(late.meter.over).toBe('the budget of the job (2.5 of 2 USD) is used up')
  late.meter.stop()
})

test('money is what the agent says, else what its tokens cost, the cached ones by their own price', () => {
  const prices = { 'a-model': { input: 10, output: 50, cachedInput: 1 }, '*': { input: 2, output: 4 } }
  const { meter, usage } = metered({ usd: 100 }, { prices })
  expect(meter.usd).toBeNull()
  usage(1_000_000, 100_000, 'a-model', 500_000)
  expect([meter.usd, meter.isCostReported]).toEqual([5 + 0.5 + 5, false])
  usage(1_000_000, 1_000_000, 'another', 500_000)
  expect(meter.usd).toBe(6)
  meter.event({ type: 'cost', usd: 3.25 })
  expect([meter.usd, meter.isCostReported]).toEqual([3.25, true])
  meter.stop()
  meter.start()
  meter.event({ type: 'cost', usd: 1 })
  expect(meter.usd).toBe(4.25)
  meter.stop()
  const unpriced = metered({ usd: 1 })
  unpriced.usage(1e9, 1e9, 'a-model')
  expect([unpriced.meter.usd, unpriced.meter.over]).toEqual([null, null])
})

test('time passes only while a cell runs, and without any event', async () => {
  const { meter, clock } = metered({ time: '1h' })
  meter.start()
  clock.ms = 1_000
  meter.stop()
  clock.ms = 9_000
  expect(meter.time).toBe(1_000)
  meter.start()
  clock.ms = 9_500
  expect(meter.time).toBe(1_500)
  meter.stop()

  const over = Promise.withResolvers<void>()
  const silent = new Meter(
    { limits: allowancesOf('the budget of the agent for the day', { time: '20ms' }, nothing), prices: {} },
    { near: () => undefined, usedUp: over.resolve },
    () => performance.now(),
  )
  silent.start()
  await over.promise
  silent.stop()
  expect(silent.over).toMatch(/^the budget of the agent for the day \(/)
})

test('a limit that passes between two looks at the clock is found', async () => {
  const over = Promise.withResolvers<void>()
  let ms = 0
  const meter = new Meter(
    { limits: allowancesOf('the budget of the job', { time: '5ms' }, nothing), prices: {} },
    { near: () => undefined, usedUp: over.resolve },
    () => {
      ms += 3
      return ms
    },
  )
  meter.start()
  await over.promise
  meter.stop()
  expect(meter.over).toMatch(/ is used up$/)
})
