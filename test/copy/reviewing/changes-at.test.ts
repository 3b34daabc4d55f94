import { expect, test } from 'vitest'
import { selectByGlob } from '../../../src/contest/project/select-winner.ts'
import type { Change } from '../../../src/copy/reviewing/change.ts'
import { selectChanges } from '../../../src/copy/reviewing/select-changes.ts'

/** A change whose kind is its first letter: added, modified or deleted. */
function change(text: string): Change {
  const [letter, path = ''] = text.split(' ')
  const entry = { path } as Change['base']
  const [base, now] = [letter === 'a' ? null : entry, letter === 'd' ? null : entry]
  return { path, kind: letter === 'a' ? 'added' : letter === 'd' ? 'deleted' : 'modified', base, now, runsLater: null }
}

const cases = [
  ['a file that became a directory', ['d LICENSE', 'a LICENSE/Makefile', 'a LICENSE/x/y'], 'LICENSE', ['LICENSE']],
  ['a directory that became a file', ['a dir', 'd dir/a', 'd dir/b/c'], 'dir', ['dir', 'dir/a', 'dir/b/c']],
  ['a directory', ['m src/a', 'a src/b/c', 'm srcs'], 'src', ['src/a', 'src/b/c']],
  ['a name like a glob', ['m a*', 'm ab'], 'a*', ['a*']],
] as const

test.each(cases)('a path selects its own change and no other: %s', (_, texts, path, expected) => {
  const changes = texts.map(change)
  const places = { project: '/p', cwd: '/p' }
  for (const { changes: found } of [
    selectChanges(changes, { ...places, words: [path], paths: [] }),
    selectChanges(changes, { ...places, words: [], paths: [path] }),
    selectByGlob(changes, [path]),
  ])
    expect(found.map((each) => each.path)).toEqual(expected)
})

test('a glob selects no file below a match that became a directory', () => {
  const changes = ['d LICENSE', 'a LICENSE/Makefile'].map(change)
  expect(selectByGlob(changes, ['LIC*']).changes.map((each) => each.path)).toEqual(['LICENSE'])
})
