import { describe, expect, test } from 'vitest'
import { everyone } from '../support/cli.ts'
import { expectTheSame, needsPackages, skipIfUnavailable } from './table/compare.ts'
import { families } from './table/rows.ts'

/** Rows of each family that take a few seconds. The lab runs all of them. */
const short = [
  ...[
    'gcc, ar and',
    'the address sanitizer',
    'make',
    'Go: run',
    'COBOL',
    'Java:',
    'SBCL',
    'PHP',
    'Perl',
    'node --test',
    'SQLite',
    'Chromium',
  ],
  ...['inotifywait', 'ShellCheck', 'tar,', 'git:', 'R: a script', 'LaTeX'],
]

const chosen = Object.entries(families)
  .map(([family, rows]) => ({ family, rows: rows.filter(({ name }) => short.some((each) => name.startsWith(each))) }))
  // scaffolders.deep.test.ts runs those.
  .filter(({ family }) => family !== 'scaffolders')

test('each name selects a row that needs no npm package, and each family has one', () => {
  const rows = chosen.flatMap((each) => each.rows)
  expect(short.filter((each) => !rows.some(({ name }) => name.startsWith(each)))).toEqual([])
  expect(rows.filter(needsPackages)).toEqual([])
  expect(chosen.filter((each) => each.rows.length === 0)).toEqual([])
})

describe.each(everyone)('as %s', (who) => {
  describe.each(chosen)('$family', ({ rows }) => {
    for (const row of rows)
      test(`${row.name}: the same in a cell as outside`, async ({ skip }) => {
        skipIfUnavailable(row, skip)
        await expectTheSame(who, row, '')
      })
  })
})
