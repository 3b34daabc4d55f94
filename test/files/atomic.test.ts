import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { writeAtomic, writeJson } from '../../src/files/atomic.ts'
import { temporary } from '../support/temporary.ts'

test('makes parents, replaces what is there, and leaves no temporary file', async () => {
  await using at = await temporary()
  const file = at.at('a/b/c.json')
  await writeJson(file, { one: 1 })
  await writeJson(file, { two: 2 }, { mode: 0o600 })
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ two: 2 })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(at.at('a/b'))).toEqual(['c.json'])
})

test('replaces a link instead of writing through it', async () => {
  await using at = await temporary()
  await writeFile(at.at('victim'), 'mine')
  await symlink(at.at('victim'), at.at('file'))
  await writeAtomic(at.at('file'), 'new')
  expect(await readFile(at.at('victim'), 'utf8')).toBe('mine')
  expect(await readFile(at.at('file'), 'utf8')).toBe('new')
})

test('a write that fails leaves the old content and no temporary file', async () => {
  await using at = await temporary()
  await writeAtomic(at.at('d/file'), 'old')
  await chmod(at.at('d'), 0o755)
  await expect(writeAtomic(at.at('d/file/inside'), 'new')).rejects.toThrow(/ENOTDIR|EEXIST/)
  expect(await readdir(at.at('d'))).toEqual(['file'])
})
