import { expect, test } from 'vitest'
import { baseOf, modeInProject } from '../../../src/contest/project/base.ts'
import { leftOutOf } from '../../../src/contest/seal/left-out.ts'
import type { Seal, SealedFile } from '../../../src/contest/seal/seal-schema.ts'

const sha256 = 'a'.repeat(64)
const sealed = (...files: SealedFile[]): Seal => ({
  schemaVersion: 2,
  state: 'sealed',
  message: null,
  sealedAt: '',
  attempt: 1,
  files,
  bytes: 0,
  tree: sha256,
  dropped: [
    { path: 'link', why: 'it is a symbolic link' },
    { path: 'closed', why: 'it cannot be read' },
  ],
  droppedCount: 2,
})
const file = (path: string, mode: '0644' | '0755' = '0644'): SealedFile => ({ path, size: 1, sha256, mode })

test('a file that a seal left out is not deleted, and a missing one is', () => {
  const isLeftOut = leftOutOf(sealed(file('kept/x')))
  expect(['link', 'closed/below', 'gone', 'kept', 'kept/x/y'].map(isLeftOut)).toEqual([true, true, false, false, false])
})

test('a file in the place of a link is a change of it', () => {
  expect(leftOutOf(sealed(file('link')))('link')).toBe(false)
  expect(leftOutOf(sealed(file('link/below')))('link')).toBe(false)
})

test('if more was left out than is listed, nothing counts as deleted', () => {
  expect(leftOutOf({ ...sealed(), droppedCount: 3 })('gone')).toBe(true)
})

test('modes of the project count, but for whether a file is executable', () => {
  const entry = { path: 'x', mode: 0o644, size: 1, sha256 }
  const modeOf = (now: number) => baseOf([entry], sealed(file('x')), () => now)[0]
  expect([modeOf(0o664), modeOf(0o775)]).toMatchObject([{ mode: 0o664 }, { mode: 0o644 }])
  expect([
    modeInProject('0755', { ...entry, mode: 0o664 }),
    modeInProject('0644', { ...entry, mode: 0o750 }),
    modeInProject('0644', { ...entry, mode: 0o600 }),
    modeInProject('0755', undefined),
  ]).toEqual([0o775, 0o640, 0o600, 0o755])
})
