import { expect, test } from 'vitest'
import { newSuite } from '../../../src/contest/suite/config/new-suite.ts'
import { lintSuite } from '../../../src/contest/suite/lint-suite.ts'
import { openSuiteBench } from '../../support/suite-bench.ts'

test('each starter brief fails what does nothing and what only ends, and passes its oracle', { timeout: 600_000 }, async () => {
  await using bench = await openSuiteBench()
  await newSuite(bench.contest, { starter: true })
  const { briefs } = await lintSuite(bench.contest, bench.deps, { try: true, only: [] })
  expect(briefs.flatMap(({ brief, findings }) => findings.map((each) => [brief, each.message]))).toEqual([])
  expect(briefs).toHaveLength(12)
  for (const { brief, tried } of briefs)
    expect([
      brief,
      (tried ?? []).map(({ name, empty, onlyEnds, oracle }) => [name, empty.result, onlyEnds?.result, oracle?.result]),
    ]).toEqual([brief, ['ordinary', 'corners'].map((each) => [each, 'failed', 'failed', 'passed'])])
})
