import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { removeTree } from '../../src/files/remove-tree.ts'
import { temporary } from '../support/temporary.ts'

test('a tree is deleted that is deeper than any path, and wider than one look', async () => {
  await using place = await temporary()
  const root = path.join(place.path, 'tree')
  mkdirSync(root)
  // Created directory by directory, because the whole path would be refused (PATH_MAX).
  const dig =
    'const fs = require("fs"); for (let i = 0; i < 450; i++) { const name = "d".repeat(100); fs.mkdirSync(name); fs.writeFileSync("file", ""); process.chdir(name) }'
  expect(spawnSync(process.execPath, ['-e', dig], { cwd: root }).status).toBe(0)
  for (let each = 0; each < 2000; each++) writeFileSync(path.join(root, `file-${each}`), '')
  await removeTree(root)
  expect(readdirSync(place.path)).toEqual([])
})

test('directories without permissions go, links are not followed, and what is not there is not a failure', async () => {
  await using place = await temporary()
  const root = path.join(place.path, 'tree')
  mkdirSync(path.join(root, 'closed/inner'), { recursive: true })
  mkdirSync(path.join(place.path, 'elsewhere'))
  writeFileSync(path.join(place.path, 'elsewhere/kept'), 'kept', { mode: 0o400 })
  symlinkSync(path.join(place.path, 'elsewhere'), path.join(root, 'closed/link'))
  chmodSync(path.join(root, 'closed/inner'), 0)
  chmodSync(path.join(root, 'closed'), 0)
  chmodSync(root, 0o500)
  await removeTree(root)
  await removeTree(root)
  symlinkSync(path.join(place.path, 'elsewhere'), root)
  await removeTree(root)
  expect(existsSync(root)).toBe(false)
  expect(readFileSync(path.join(place.path, 'elsewhere/kept'), 'utf8')).toBe('kept')
})
