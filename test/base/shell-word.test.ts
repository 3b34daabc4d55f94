import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/base/shell-word.ts'

test('6: a directory with blanks or quotes is one word of a suggested command', () => {
  const names = ['my-contest', 'Bad Name!', "it's", '$HOME', 'a;b', '~x', '']
  expect(names.slice(0, 2).map(shellWord)).toEqual(['my-contest', "'Bad Name!'"])
  for (const each of names) expect(execFileSync('sh', ['-c', `printf %s ${shellWord(each)}`], { encoding: 'utf8' })).toBe(each)
})
