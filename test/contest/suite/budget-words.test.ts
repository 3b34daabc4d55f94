import { PassThrough } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { expect, test } from 'vitest'
import { suiteProgress } from '../../../src/cli/suite/suite-progress.ts'
import { suiteNotes } from '../../../src/contest/suite/report/suite-notes.ts'
import { summaryOf } from '../../support/suite-findings.ts'

const caps = [
  ['money', 'too little money left for another cell', ' ($1.50 is used)'],
  ['tokens', 'too few tokens left for another cell', ' (20 are used)'],
  ['wall', 'too little time left for another cell', ''],
  ['judges.money', 'too little money left for another judge', ''],
  ['judges.tokens', 'too few tokens left for another judge', ''],
] as const

test.each(caps)('a budget that has nothing left is reported with only what its cap counts (%#)', (reached, left, used) => {
  const summary = { ...summaryOf({ names: ['a'], contests: [{ ended: {} }] }), reached, spent: { money: 1.5, tokens: 20 } }
  expect(suiteNotes(summary, new Set(), [])[0]).toBe(
    `The budget has ${left}${used}, so 0 contests did not run or did not finish. To continue, raise it (budget in suite.yaml, --budget) and run: paddock suite run`,
  )
  const out = new PassThrough()
  suiteProgress(out as unknown as WriteStream, true).event({ type: 'budget', cap: reached })
  expect(out.read()?.toString()).toBe(`paddock: warning: the budget has ${left}, so nothing more is started\n`)
})
