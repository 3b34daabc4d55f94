import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { resolvePaths } from '../../src/base/paths.ts'
import { removeCopy } from '../../src/copy/all-copies.ts'
import { type CopyPlace, readRecord, writeRecord } from '../../src/copy/copy-record.ts'
import type * as Lock from '../../src/files/lock.ts'
import { lab } from './lab.ts'

const { meanwhile } = vi.hoisted(() => ({ meanwhile: { act: async (): Promise<void> => undefined } }))
// Runs what another command does between the choice of a copy and the lock.
vi.mock('../../src/files/lock.ts', async (original) => {
  const actual = (await original()) as typeof Lock
  return {
    ...actual,
    takeLock: async (...args: Parameters<typeof Lock.takeLock>) => {
      await meanwhile.act()
      return actual.takeLock(...args)
    },
  }
})
afterEach(() => {
  meanwhile.act = async () => undefined
})

async function chosen() {
  const place = await lab()
  const paths = { ...resolvePaths({ HOME: place.at('home') }), state: place.at('.') }
  const copy = await place.copy()
  return { place, paths, copy }
}

const { holdCopy } = await import('../../src/copy/hold-copy.ts')

test('a copy that another command deleted meanwhile is not used, and its lock is given back', async () => {
  const { place, paths, copy } = await chosen()
  await using _place = place
  meanwhile.act = () => removeCopy(copy.place as CopyPlace)
  for (let times = 0; times < 2; times++)
    await expect(holdCopy([copy.place.id], paths, { cwd: '/', command: 'a test' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('the record of a copy is the one read under the lock', async () => {
  const { place, paths, copy } = await chosen()
  await using _place = place
  meanwhile.act = () => writeRecord(copy.place, { ...copy.record, cells: ['another'] })
  using held = await holdCopy([copy.place.id], paths, { cwd: '/', command: 'a test' })
  expect(held.record.cells).toEqual(['another'])
})

test('an id that no copy has is refused, and a path of that form is still a path', async () => {
  const { place, paths, copy } = await chosen()
  await using _place = place
  const { project } = (await readRecord(copy.place as CopyPlace)) ?? { project: '' }
  const hold = (word: string) => holdCopy([word], paths, { cwd: project, command: 'a test' })
  for (const each of ['0badc0de', 'zzzzzzzz'])
    await expect(hold(each)).rejects.toMatchObject({ code: 'NOT_FOUND', message: `There is no copy ${each}.` })
  writeFileSync(path.join(project, '0badc0de'), '')
  const held = await hold('0badc0de')
  expect(held.words).toEqual(['0badc0de'])
  held[Symbol.dispose]()
})
