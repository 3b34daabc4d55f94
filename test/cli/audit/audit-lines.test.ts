import { expect, test } from 'vitest'
import type { AuditLine } from '../../../src/audit/line.ts'
import { auditText } from '../../../src/cli/audit/audit-lines.ts'

const launch: AuditLine = {
  seq: 1,
  prev: '0'.repeat(64),
  hash: '1'.repeat(64),
  time: '2026-01-01T00:00:00.000Z',
  cell: '0123456789ab',
  kind: 'cell.launch',
  data: { name: 'run claude', posture: 'L2', backend: 'bubblewrap', egress: 'allowlist', plan: 'ab'.repeat(32), degraded: [] },
}

test('7: a line of the audit log is cut to the width of the terminal', () => {
  expect(auditText(launch)).toBe(
    '2026-01-01T00:00:00.000Z  0123456789ab  cell.launch         run claude · L2 · bubblewrap · egress allowlist · plan abababababab',
  )
  expect(auditText(launch, 60)).toBe('2026-01-01T00:00:00.000Z  0123456789ab  cell.launch        …')
  expect(auditText(launch, 60)).toHaveLength(60)
  expect(auditText(launch, 500)).toBe(auditText(launch))
})
