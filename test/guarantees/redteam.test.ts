import { expect, test } from 'vitest'
import { movedIn, runRedteam } from './redteam-run.ts'

test('an attacker that tries everything moves nothing under egress off', async () => {
  const report = await runRedteam({ egress: { mode: 'off' } })
  expect(report.cell.ending).toEqual({ kind: 'exited', code: 0 })
  expect(movedIn(report)).toEqual([])
  expect(report.moved).toBe(false)
  expect(report.said.tried.length).toBe(50)
})
