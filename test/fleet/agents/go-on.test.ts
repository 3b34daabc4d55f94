import { expect, test } from 'vitest'
import { cannotGoOn } from '../../../src/fleet/agents/go-on.ts'

test('a job continues only a known conversation, with the agent that had it', () => {
  const manifest = { name: 'ann', agent: 'claude' } as const
  const job = { isMessage: false, continues: 'job-1', conversation: 'c-1', adapter: 'claude' }
  expect(cannotGoOn(job, manifest)).toBeNull()
  expect(cannotGoOn({ ...job, conversation: null }, manifest)).toBeNull()
  expect(cannotGoOn({ ...job, conversation: null, isMessage: true }, manifest)).toBe(
    'The conversation of the job job-1 is not known, so it cannot be continued.',
  )
  expect(cannotGoOn(job, { ...manifest, agent: 'codex' })).toBe('The conversation was with claude, and ann is codex now.')
})
