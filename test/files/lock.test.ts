import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { lockHolder, takeLock, tryLock } from '../../src/files/lock.ts'
import { identify, isRunning } from '../../src/system/process-identity.ts'
import { temporary } from '../support/temporary.ts'

const holder = path.join(import.meta.dirname, '../fixtures/hold-lock.ts')

async function holdElsewhere(file: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [holder, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

const wish = (file: string, command = 'a test') => ({ file, what: 'The contest', command })

test('while another process holds it, it is busy by the name of that process; after kill -9 it is free', async () => {
  await using at = await temporary()
  const file = at.at('.lock')
  const child = await holdElsewhere(file)
  await expect(takeLock(wish(file))).rejects.toMatchObject({
    code: 'BUSY',
    exitCode: 125,
    message: expect.stringMatching(
      new RegExp(`^The contest is in use by paddock contest run, process ${child.pid}, since 20\\d\\d-\\d\\d-\\d\\dT[0-9:.]+Z\\.$`),
    ),
    hint: `Wait for it, or end it with: kill ${child.pid}`,
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await takeLock(wish(file, 'paddock contest judge'))
  await expect(takeLock(wish(file))).rejects.toMatchObject({
    code: 'BUSY',
    message: expect.stringContaining(`paddock contest judge, process ${process.pid}, since `),
  })
  lock[Symbol.dispose]()
  lock[Symbol.dispose]()
  using again = await takeLock(wish(file))
  expect(again).toBeDefined()
})

test('waits for a holder that ends in time', async () => {
  await using at = await temporary()
  const file = at.at('.lock')
  const child = await holdElsewhere(file)
  expect(await tryLock({ file, command: 'a test' })).toBeNull()
  const waiting = tryLock({ file, command: 'a test', patienceMs: 60_000 })
  child.kill('SIGKILL')
  using lock = await waiting
  expect(lock).not.toBeNull()
})

test('a record of a process that has ended, or whose id was reused, names no process', async () => {
  await using at = await temporary()
  const file = at.at('.lock')
  using _lock = await takeLock(wish(file))
  for (const started of ['another boot:1', '']) {
    await writeFile(`${file}.holder`, JSON.stringify({ pid: process.pid, started, command: 'x', since: '2026-01-01T00:00:00Z' }))
    expect(await lockHolder(file)).toBe('another process')
  }
  for (const text of ['', '{', 'null', '{"pid":1}']) {
    await writeFile(`${file}.holder`, text)
    expect(await lockHolder(file)).toBe('another process')
  }
})

test('a file that is not a lock is not taken for one, and keeps what is in it', async () => {
  await using at = await temporary()
  await writeFile(at.at('.lock'), 'the work of somebody\n'.repeat(30))
  await expect(takeLock(wish(at.at('.lock')))).rejects.toThrow()
  expect(readFileSync(at.at('.lock'), 'utf8')).toBe('the work of somebody\n'.repeat(30))
})

test('of many who ask at once, one gets it', async () => {
  await using at = await temporary()
  for (let round = 0; round < 10; round += 1) {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(wish(at.at(`lock${round}`)))))
    const got = tries.filter((each) => each.status === 'fulfilled')
    expect(got).toHaveLength(1)
    for (const each of got) each.value[Symbol.dispose]()
  }
})

test('a process is recognized as itself, and as no other', async () => {
  const self = await identify(process.pid)
  expect(self).not.toBeNull()
  if (self === null) return
  expect(await isRunning(self)).toBe(true)
  expect(await isRunning({ ...self, started: `${self.started}0` })).toBe(false)
  expect(await identify(999_999_999)).toBeNull()
})
