import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { writeAtomic, writeJson, writeJsonOnce } from '../../src/files/atomic.ts'
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

test('a file that is written once is never replaced, not even by two writers at once', async () => {
  await using at = await temporary()
  const wrote = await Promise.all([1, 2, 3].map((each) => writeJsonOnce(at.at('once.json'), { each }, { mode: 0o600 })))
  expect(wrote.filter(Boolean)).toHaveLength(1)
  expect(JSON.parse(await readFile(at.at('once.json'), 'utf8'))).toEqual({ each: wrote.indexOf(true) + 1 })
  expect((await stat(at.at('once.json'))).mode & 0o777).toBe(0o600)
  await symlink('nowhere', at.at('link'))
  expect(await writeJsonOnce(at.at('link'), {})).toBe(false)
})
