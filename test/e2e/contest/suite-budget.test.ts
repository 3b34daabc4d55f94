import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { SuiteSummary } from '../../../src/contest/suite/report/suite-summary.ts'
import { everyone, makeStage, paddock } from '../../support/cli.ts'
import { writeCostlySuite } from '../../support/costly-suite.ts'

const statesOf = ({ briefs }: SuiteSummary) => briefs.map(({ name, runs }) => [name, runs[0]?.state, runs[0]?.why ?? null])

test.each(everyone)('a budget that is used up in the middle of a suite costs no work, and a higher one continues, as %s', async (who) => {
  using stage = makeStage(who)
  const suite = path.join(stage.root, 'suite')
  writeCostlySuite(suite)
  stage.own()
  const at = (brief: string, file: string): string => path.join(suite, 'runs', brief, '1', file)
  const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
  const run = async (budget: string) => {
    const { code, stdout, stderr } = await paddock(stage, ['suite', 'run', suite, '--budget', budget, '--json'])
    return { code, stderr, summary: JSON.parse(stdout) as SuiteSummary }
  }

  // A third participant would probably cost as much as each of the others.
  const first = await run('0.6')
  expect(first.code, first.stderr).toBe(0)
  expect(first.stderr).toContain('warning: the budget has too little money left for another cell, so nothing more is started')
  expect(first.stderr).toContain('/1 is not finished: the budget has too little money left for another cell')
  expect(first.stderr).not.toContain('(3 of 3)')
  expect(first.summary).toMatchObject({ reached: 'money', spent: { money: 0.5 }, ranking: [{ completion: { hits: 2, of: 2 }, notRun: 1 }] })
  const states = statesOf(first.summary)
  const open = states.filter(([, state]) => state !== 'complete')
  expect(open).toEqual([[expect.any(String), expect.any(String), 'the budget has too little money left for another cell']])
  expect(first.summary.notes[0]).toBe(
    'The budget has too little money left for another cell ($0.50 is used), so 1 contest did not run or did not finish. To continue, raise it (budget in suite.yaml, --budget) and run: paddock suite run',
  )
  const done = states.flatMap(([name, state]) => (state === 'complete' ? [String(name)] : []))
  const seals = done.map((each) => at(each, 'rounds/1/sealed/costly/out.tar'))
  const before = seals.map(hashOf)

  // The same budget starts nothing, and says so again.
  const same = await run('0.6')
  expect([same.code, same.summary.reached, statesOf(same.summary)]).toEqual([0, 'money', states])

  const more = await run('1')
  expect(more.code, more.stderr).toBe(0)
  expect(more.stderr).toContain('1 of 3 contests to run')
  expect(more.summary).toMatchObject({ reached: null, spent: { money: 0.75 }, ranking: [{ completion: { hits: 3, of: 3 }, notRun: 0 }] })
  expect(seals.map(hashOf)).toEqual(before)
  for (const each of done) expect(existsSync(at(each, 'rounds/1/costly/attempts/2'))).toBe(false)
})

test.each(everyone)('a suite whose budget allows only the first of its contests has a report, as %s', async (who) => {
  using stage = makeStage(who)
  const suite = path.join(stage.root, 'suite')
  writeCostlySuite(suite)
  stage.own()
  const { code, stdout } = await paddock(stage, ['suite', 'run', suite, '--budget', '0.01'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('so 2 contests did not run or did not finish')])
})
