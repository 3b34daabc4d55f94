import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { takeLock } from '../../src/files/lock.ts'
import { identify, isRunning } from '../../src/files/process-identity.ts'
import { temporary } from '../support/temporary.ts'

const holder = path.join(import.meta.dirname, '../fixtures/hold-lock.ts')

async function holdElsewhere(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [holder, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

test('is busy while another process holds it, and free again after kill -9', async () => {
  await using at = await temporary()
  const file = at.at('.lock')
  const child = await holdElsewhere(file)
  await expect(takeLock(file, 'the contest')).rejects.toMatchObject({
    code: 'CONTEST_BUSY',
    message: `the contest is in use by process ${child.pid}`,
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(file)).toBe(true)
  const lock = await takeLock(file, 'the contest')
  await expect(takeLock(file, 'the contest')).rejects.toMatchObject({ code: 'CONTEST_BUSY' })
  await lock.release()
  await lock.release()
  expect(existsSync(file)).toBe(false)
})

test('a holder whose number belongs to somebody else by now has lost it', async () => {
  await using at = await temporary()
  await writeFile(at.at('.lock'), JSON.stringify({ pid: process.pid, started: 'another boot:1', id: 'x' }))
  await using _lock = await takeLock(at.at('.lock'), 'it')
  expect(JSON.parse(await readFile(at.at('.lock'), 'utf8'))).toMatchObject({ pid: process.pid })
})

test('a lock file that nobody can have written whole is taken over', async () => {
  await using at = await temporary()
  await writeFile(at.at('.lock'), '')
  await using lock = await takeLock(at.at('.lock'), 'it')
  expect(lock).toBeDefined()
})

test('of many who find a dead holder, one gets it', async () => {
  await using at = await temporary()
  for (let round = 0; round < 10; round += 1) {
    const file = at.at(`lock${round}`)
    await writeFile(file, JSON.stringify({ pid: 999_999_999, started: 'x:1', id: 'dead' }))
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(file, 'it')))
    expect(tries.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  }
})

test('a process is itself, and nobody else', async () => {
  const self = await identify(process.pid)
  expect(self).not.toBeNull()
  if (self === null) return
  expect(await isRunning(self)).toBe(true)
  expect(await isRunning({ ...self, started: `${self.started}0` })).toBe(false)
  expect(await identify(999_999_999)).toBeNull()
})

test('what takers left that were killed goes with the next taking; what others are writing stays', async () => {
  await using at = await temporary()
  const file = at.at('.lock')
  const left = (id: string): string => `${file}.${id.repeat(16)}.tmp`
  await writeFile(left('a'), JSON.stringify({ pid: 999_999_999, started: 'x:1', id: 'dead' }))
  await writeFile(`${file}.takeover.${'b'.repeat(16)}.tmp`, JSON.stringify({ pid: 999_999_999, started: 'x:1', id: 'dead' }))
  await writeFile(left('c'), '')
  await utimes(left('c'), 1000, 1000)
  await writeFile(left('d'), '')
  await writeFile(left('e'), JSON.stringify({ ...(await identify(process.pid)), id: 'live' }))
  await writeFile(at.at('.locket.tmp'), '')
  await using _lock = await takeLock(file, 'it')
  expect((await readdir(path.dirname(file))).sort()).toEqual(
    ['.lock', '.locket.tmp', path.basename(left('d')), path.basename(left('e'))].sort(),
  )
})
