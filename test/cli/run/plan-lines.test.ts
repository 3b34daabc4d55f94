import { expect, test } from 'vitest'
import { plan } from '../../../src/cell/plan/plan.ts'
import { planLines } from '../../../src/cli/run/plan-lines.ts'
import { machine, spec } from '../../cell/machine.ts'

test('7: --dry-run shows limits for people, and says "asked for" only of those', () => {
  const planned = plan(spec({ limits: { timeout: 90_000, fileSize: 1024 ** 3 }, defaultLimits: { silence: 1_800_000 } }), machine(), [])
  expect(planned.limits.silence).toEqual({ value: 1_800_000, asked: false })
  const lines = planLines(planned)
  expect(lines).toContain('  timeout    1 min 30 s (asked for)')
  expect(lines).toContain('  silence    30 min 00 s')
  expect(lines).toContain('  fileSize   1.0 GiB (asked for)')
  expect(lines).toContain('  pids       4096')
  expect(lines).toContain('  cpus       none')
})

test('7: a silence that is asked for takes the place of the default', () => {
  const planned = plan(spec({ limits: { silence: 5_000 }, defaultLimits: { silence: 1_800_000 } }), machine(), [])
  expect(planned.limits.silence).toEqual({ value: 5_000, asked: true })
})
