import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onlyEnd } from '../../src/contest/lint/only-ends.ts'
import { temporary } from '../support/temporary.ts'

test('only files are replaced: a directory stays, and so does a file that would have to become one', async () => {
  await using at = await temporary()
  mkdirSync(at.at('work/s'), { recursive: true })
  writeFileSync(at.at('work/s/inside'), 'kept')
  writeFileSync(at.at('work/file'), 'old')
  await onlyEnd(at.at('work'), { files: ['s', 't', 't/one.sh', 'file', 'file/below', 'new/two.mjs'], exports: [] })
  expect(readFileSync(at.at('work/s/inside'), 'utf8')).toBe('kept')
  expect(statSync(at.at('work/t')).isDirectory()).toBe(true)
  expect(readFileSync(at.at('work/t/one.sh'), 'utf8')).toContain('exit 0')
  expect(readFileSync(at.at('work/new/two.mjs'), 'utf8')).toBe('process.exit(0)\n')
  // A file of the submission is replaced, and nothing is below it.
  expect(readFileSync(at.at('work/file'), 'utf8')).toContain('exit 0')
})
