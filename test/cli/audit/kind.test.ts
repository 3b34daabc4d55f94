import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kindFilters } from '../../../src/audit/event-kinds.ts'
import { auditTail } from '../../../src/cli/audit/audit-tail.ts'

test('7: paddock audit tail refuses a kind that does not exist, with the nearest one', async () => {
  await expect(auditTail({ n: '20', kind: 'egress.dney' })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: '--kind egress.dney: the log has no such kind.',
    hint: 'Did you mean egress.deny?',
  })
})

test('7: every kind of the guide is one that --kind takes', () => {
  const guide = readFileSync(new URL('../../../docs/guide/audit.md', import.meta.url), 'utf8')
  const rows = guide.split('\n').filter((each) => each.startsWith('| `'))
  const kinds = rows.flatMap((each) => [...(each.split('|')[1] ?? '').matchAll(/`([a-z.]+)`/g)].map((found) => found[1]))
  expect(kinds.length).toBeGreaterThan(20)
  expect(kindFilters).toEqual(expect.arrayContaining(kinds))
})
