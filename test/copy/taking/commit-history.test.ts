import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { writeHistory } from '../../../src/copy/taking/commit-history.ts'
import { RepositoryCopy } from '../../../src/copy/taking/repository-copy.ts'
import { pastRepository } from '../../support/past-repository.ts'
import { temporary } from '../../support/temporary.ts'

const host = { searchPath: '/usr/local/bin:/usr/bin:/bin', signal: new AbortController().signal }
const inside = (directory: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8' }).trim()

test.each(['sha1', 'sha256'])('a tree gets the history of a commit and no object of later ones, with %s', async (format) => {
  await using root = await temporary()
  const repository = pastRepository(root.at('project'), format)
  const base = repository.commit('First', { a: '1\n' })
  const later = repository.commit('Second', { a: '2\n', b: '3\n' })
  repository.git('tag', '-a', '-m', 'Both', 'v1')
  repository.git('gc', '-q')
  const copy = await RepositoryCopy.make(root.at('project'), root.at('copy'), host)
  await copy.filesOf(base, root.at('tree'))
  await writeHistory(root.at('tree'), base, copy, root.at('scratch'))
  expect(inside(root.at('tree'), 'rev-list', '--all')).toBe(base)
  expect(inside(root.at('tree'), 'status', '--porcelain')).toBe('')
  expect(inside(root.at('tree'), 'cat-file', '--batch-all-objects', '--batch-check=%(objecttype)').split('\n').toSorted()).toEqual([
    'blob',
    'commit',
    'tree',
  ])
  expect(() => inside(root.at('tree'), 'cat-file', '-e', later)).toThrow()
  // Nothing tells where the objects come from.
  for (const each of ['FETCH_HEAD', 'logs', 'objects/info/alternates']) expect(existsSync(root.at('tree/.git', each)), each).toBe(false)
  expect(await readFile(root.at('tree/.git/config'), 'utf8')).not.toContain(root.path)
})

test('a history with an object of another commit is refused', async () => {
  await using root = await temporary()
  const repository = pastRepository(root.at('project'))
  const base = repository.commit('First', { a: '1\n' })
  repository.commit('Second', { a: '2\n' })
  const blob = repository.git('rev-parse', 'HEAD:a')
  const copy = await RepositoryCopy.make(root.at('project'), root.at('copy'), host)
  await copy.filesOf(base, root.at('tree'))
  const planted = root.at('tree/.git/objects', blob.slice(0, 2))
  await mkdir(planted, { recursive: true })
  await writeFile(path.join(planted, blob.slice(2)), await readFile(root.at('project/.git/objects', blob.slice(0, 2), blob.slice(2))))
  await expect(writeHistory(root.at('tree'), base, copy, root.at('scratch'))).rejects.toMatchObject({
    code: 'FILES_FAILED',
    message: expect.stringContaining('has objects that do not belong to it: 1 of 4'),
  })
})

test('a project without a repository, or with objects of another one, is refused', async () => {
  await using root = await temporary()
  await mkdir(root.at('plain'))
  await expect(RepositoryCopy.make(root.at('plain'), root.at('copy'), host)).rejects.toMatchObject({ code: 'BAD_INPUT' })
  pastRepository(root.at('project')).commit('First', { a: '1\n' })
  await writeFile(root.at('project/.git/objects/info/alternates'), `${root.at('other/.git/objects')}\n`)
  await expect(RepositoryCopy.make(root.at('project'), root.at('copy'), host)).rejects.toMatchObject({
    message: expect.stringContaining('borrows objects of another repository'),
  })
  expect(existsSync(root.at('copy'))).toBe(false)
})
