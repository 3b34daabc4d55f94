import { chmodSync, cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { everyone } from '../support/cli.ts'
import { freshDirectory } from '../support/fresh-directory.ts'
import { expectTheSame, needsPackages, packages, skipIfUnavailable } from './table/compare.ts'
import { families } from './table/rows.ts'

/** A copy of the npm packages that every user can read, whatever the checkout's permissions. It is made for the first row that needs one. */
let copy = ''
function copyOfPackages(): string {
  if (copy !== '') return copy
  copy = freshDirectory('/tmp/paddock-programs-')
  chmodSync(copy, 0o755)
  cpSync(packages, path.join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  return copy
}
afterAll(() => {
  if (copy !== '') rmSync(copy, { recursive: true, force: true })
}, 300_000)

describe.each(everyone)('as %s', (who) => {
  describe.each(Object.entries(families))('%s', (_, rows) => {
    for (const row of rows)
      test(`${row.name}: the same in a cell as outside`, async ({ skip }) => {
        skipIfUnavailable(row, skip)
        await expectTheSame(who, row, needsPackages(row) ? copyOfPackages() : '')
      })
  })
})
