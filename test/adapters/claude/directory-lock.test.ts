import { existsSync, mkdirSync, statSync, utimesSync } from 'node:fs'
import { expect, test } from 'vitest'
import { takeDirectoryLocks } from '../../../src/adapters/claude/directory-lock.ts'
import { temporary } from '../../support/temporary.ts'

test('all or none', async () => {
  await using at = await temporary()
  const [one, two, marker] = [at.at('one.lock'), at.at('two.lock'), at.at('held.json')]
  mkdirSync(two)
  expect(await takeDirectoryLocks([one, two], marker)).toBeNull()
  expect(existsSync(one)).toBe(false)
  const old = new Date(Date.now() - 61_000)
  utimesSync(two, old, old)
  {
    await using lock = await takeDirectoryLocks([one, two], marker)
    expect(lock).not.toBeNull()
    expect(statSync(two).mtimeMs).toBeGreaterThan(old.getTime() + 60_000)
    // The marker belongs to the one process that has the kernel lock. Another directory with that name belongs to somebody else.
    expect(await takeDirectoryLocks([at.at('three.lock'), one], at.at('other.json'))).toBeNull()
  }
  expect([one, two, marker].map((each) => existsSync(each))).toEqual([false, false, false])
})

test('a place without room for a lock needs none', async () => {
  await using at = await temporary()
  await using lock = await takeDirectoryLocks([at.at('no/such/directory.lock')], at.at('held.json'))
  expect(lock).not.toBeNull()
})
