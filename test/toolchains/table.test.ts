import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { everyone } from '../support/cli.ts'
import { freshDirectory } from '../support/fresh-directory.ts'
import { expectTheSame, packages, skipIfUnavailable } from './table/compare.ts'
import { families } from './table/rows.ts'

/** A copy of the npm packages that every user can read, whatever the checkout's permissions. */
let copy = ''
beforeAll(() => {
  copy = freshDirectory('/tmp/paddock-programs-')
  chmodSync(copy, 0o755)
  if (existsSync(packages)) cpSync(packages, path.join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true })
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe.each(everyone)('as %s', (who) => {
  describe.each(Object.entries(families))('%s', (_, rows) => {
    for (const row of rows)
      test(`${row.name}: the same in a cell as outside`, async ({ skip }) => {
        skipIfUnavailable(row, skip)
        await expectTheSame(who, row, copy)
      })
  })
})
