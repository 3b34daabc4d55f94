import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ChainFile } from '../../src/audit/chain-file.ts'
import { bodyOf } from '../../src/audit/line.ts'
import { newestLines } from '../../src/audit/read-log.ts'
import { linesAfter } from '../../src/audit/recent.ts'
import { temporary } from '../support/temporary.ts'

const bodies = (from: number, to: number, size = 10): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, n) =>
    bodyOf({
      kind: (from + n) % 2 === 0 ? 'egress.deny' : 'egress.allow',
      cell: 'c0ffee',
      data: { n: from + n, host: `h${from + n}.test`, pad: 'x'.repeat(size) },
    }),
  )

test('lines after a given one are found, also across rotations and beside an unfinished line', async () => {
  await using at = await temporary()
  const chain = new ChainFile(at.path, { fileBytes: 60_000, files: 16 })
  expect(linesAfter(at.path, 0, {})).toEqual({ lines: [], newest: 0, whole: true })
  for (let n = 0; n < 40; n++) chain.append(bodies(n * 10 + 1, n * 10 + 10, n * 200), 1_000)
  const all = newestLines(at.path, {}, 100_000).lines
  const newest = all.at(-1)?.seq ?? 0
  for (const after of [0, 1, newest - 150, newest - 1, newest]) {
    expect(linesAfter(at.path, after, {}, 10 ** 8)).toEqual({ lines: all.filter(({ seq }) => seq > after), newest, whole: true })
  }
  const denied = linesAfter(at.path, newest - 50, { kind: 'egress.deny' })
  expect(denied.lines.every(({ kind }) => kind === 'egress.deny')).toBe(true)
  expect([denied.newest, denied.whole]).toEqual([newest, true])
  expect(linesAfter(at.path, 0, {}, 100_000)).toMatchObject({ newest, whole: false })
  appendFileSync(at.at('audit.jsonl'), '{"schemaVersion":1,"seq":99')
  expect(linesAfter(at.path, newest - 3, {}).lines).toHaveLength(3)
  chain.close()
})

test('a filter goes by kinds, cells, host, actor, time and number', async () => {
  await using at = await temporary()
  const chain = new ChainFile(at.path)
  chain.append([...bodies(1, 6), bodyOf({ kind: 'fleet.agent', actor: 'laptop', data: {} })], 1_000)
  chain.close()
  const found = (filter: Parameters<typeof newestLines>[1]) => newestLines(at.path, filter, 100).lines.map(({ seq }) => seq)
  expect(found({ kind: 'egress.deny,fleet' })).toEqual([2, 4, 6, 7])
  expect(found({ cell: 'aa,c0' })).toEqual([1, 2, 3, 4, 5, 6])
  expect(found({ host: 'H3.' })).toEqual([3])
  expect(found({ actor: 'laptop' })).toEqual([7])
  expect(found({ actor: 'user', after: 2, before: 5 })).toEqual([3, 4])
  expect(found({ from: '2999-01-01T00:00:00Z' })).toEqual([])
})
