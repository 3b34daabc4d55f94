import { expect, test } from 'vitest'
import { adapters } from '../../../src/adapters/find-adapter.ts'
import type { Budget, Prices } from '../../../src/config/budget.ts'
import type { Capabilities } from '../../../src/fleet/machine/capabilities.ts'
import { refusals } from '../../../src/fleet/machine/gate.ts'
import { manifestSchema } from '../../../src/fleet/manifest/manifest-schema.ts'

const here: Capabilities = {
  schemaVersion: 1,
  version: '0',
  ok: true,
  system: 'Linux',
  posture: 'L2',
  postures: ['L2'],
  backends: [{ name: 'bubblewrap', postures: ['L2'] }],
  checks: [],
  egress: [],
  limits: [],
  agents: adapters
    .filter(({ name }) => name !== 'command')
    .map(({ name, tried, reports }) => ({
      name,
      installed: true,
      version: '1',
      tried,
      reports,
      usesMcp: true,
      loginVariables: null,
      webTool: null,
      hint: '',
    })),
}
const said = (agent: string, budget: Budget, more: { model?: string; prices?: Prices; day?: Budget } = {}): string =>
  refusals(
    manifestSchema.parse({ name: 'a', agent, budgets: { month: budget }, ...(more.model === undefined ? {} : { model: more.model }) }),
    here,
    { prices: more.prices ?? {}, fleet: { day: more.day } },
  )
    .map(({ message }) => message)
    .join('\n')

test('a budget of what an agent does not report is refused, unless prices give its cost', () => {
  expect(said('claude', { usd: 1 })).toBe('')
  for (const agent of ['codex', 'gemini', 'opencode']) {
    expect(said(agent, { tokens: 5, turns: 5, time: '1h' })).toBe('')
    expect(said(agent, { usd: 1 })).toMatch(/^budgets\.month\.usd cannot be held: \w+ does not report its cost, .* for any model \(\*\)\.$/)
  }
  const prices = { m: { input: 1, output: 1 } }
  expect(said('codex', { usd: 1 }, { model: 'm', prices })).toBe('')
  expect(said('codex', { usd: 1 }, { model: 'n', prices })).toContain('no price for n, and none for any other (*)')
  expect(said('codex', { usd: 1 }, { prices })).toContain('for any model (*)')
  expect(said('codex', { usd: 1 }, { prices: { '*': { input: 1, output: 1 } } })).toBe('')
  expect(said('codex', { turns: 1 }, { day: { usd: 3 } })).toContain('fleet.budgets.day.usd cannot be held: codex')
  expect(said('command', { turns: 1 })).toBe('budgets.month cannot be held: command does not report what it uses.')
  expect(said('command', { time: '1h' })).toBe('')
})

test('a level of which this machine builds no cells is refused, with those that it builds', () => {
  const at = (posture: string) => refusals(manifestSchema.parse({ name: 'a', agent: 'claude', posture }), here, { prices: {}, fleet: {} })
  expect(at('L2')).toEqual([])
  for (const level of ['L0', 'L1', 'L3'])
    expect(at(level)).toEqual([
      { code: 'UNENFORCEABLE', message: `posture: cells of ${level} cannot be built on this machine.`, hint: 'Use one of: L2' },
    ])
})

test('a backend that this machine does not have is refused, with those that it has', () => {
  const by = (backend: string) => refusals(manifestSchema.parse({ name: 'a', agent: 'claude', backend }), here, { prices: {}, fleet: {} })
  expect([by('auto'), by('bubblewrap')]).toEqual([[], []])
  expect(by('seatbelt')).toEqual([
    {
      code: 'UNENFORCEABLE',
      message: 'backend: seatbelt cannot build cells of L2 on this machine.',
      hint: 'Use one of: auto, bubblewrap',
    },
  ])
})
