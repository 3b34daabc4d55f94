import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyContest, newContest } from '../../../src/contest/config/new-contest.ts'

function place(): string {
  const root = mkdtempSync('/tmp/paddock-copy-contest-')
  onTestFinished(() => rmSync(root, { recursive: true }))
  return root
}

test('a contest is copied to a missing or empty directory, and over an earlier copy of itself', async () => {
  const root = place()
  const [from, to, empty] = ['from', 'to', 'empty'].map((each) => path.join(root, each)) as [string, string, string]
  await newContest(from)
  mkdirSync(empty)
  await copyContest(from, to)
  await copyContest(from, empty)
  writeFileSync(path.join(from, 'BRIEF.md'), 'another brief')
  await copyContest(from, to)
  expect(readFileSync(path.join(to, 'BRIEF.md'), 'utf8')).toBe('another brief')
  expect(existsSync(path.join(from, '.copied-from'))).toBe(false)
})

test('a contest is never copied over another one, or over anything else', async () => {
  const root = place()
  const [one, two, copy] = ['one', 'two', 'copy'].map((each) => path.join(root, each)) as [string, string, string]
  await newContest(one)
  await newContest(two)
  writeFileSync(path.join(two, 'BRIEF.md'), 'my long brief')
  await expect(copyContest(one, two)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('is not empty') })
  expect(readFileSync(path.join(two, 'BRIEF.md'), 'utf8')).toBe('my long brief')
  await copyContest(one, copy)
  await expect(copyContest(two, copy)).rejects.toMatchObject({ code: 'CONFLICT' })
  const files = path.join(root, 'files')
  mkdirSync(files)
  writeFileSync(path.join(files, 'mine.txt'), '')
  await expect(copyContest(one, files)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(readdirSync(files)).toEqual(['mine.txt'])
})

test('a contest where no directory can be made is refused at once', async () => {
  await expect(newContest('/proc/contest')).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('/proc') })
})
