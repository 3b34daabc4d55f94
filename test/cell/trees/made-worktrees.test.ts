import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { madeWorktrees } from '../../../src/cell/trees/made-worktrees.ts'
import { freshDirectory } from '../../support/fresh-directory.ts'

const root = freshDirectory(path.join(tmpdir(), 'made-worktrees-'))
afterAll(() => rmSync(root, { recursive: true }))

test('a record that is not one of this version counts for nothing, and hides no other', async () => {
  const records = path.join(root, 'records')
  mkdirSync(path.join(records, 'r'), { recursive: true })
  const link = path.join(root, 'made')
  writeFileSync(link, '')
  const { ino, birthtimeMs, ctimeMs } = lstatSync(link)
  const good = { schemaVersion: 1, isReady: true, createdAt: '', entries: [[link, ino, birthtimeMs, ctimeMs]] }
  const write = (name: string, value: unknown): void => writeFileSync(path.join(records, 'r', `${name}.json`), JSON.stringify(value))
  write('good', good)
  const found = await madeWorktrees(records)
  expect(found.length).toBeGreaterThan(0)
  for (const [index, each] of [null, 5, { schemaVersion: 2 }, { ...good, schemaVersion: 2 }, { ...good, entries: [5] }, {}].entries())
    write(`other-${index}`, each)
  expect(await madeWorktrees(records)).toEqual(found)
})
