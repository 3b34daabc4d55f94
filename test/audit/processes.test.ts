import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newestLines } from '../../src/audit/read-log.ts'
import { verifyAudit } from '../../src/audit/verify-log.ts'
import { temporary } from '../support/temporary.ts'

const program = path.join(import.meta.dirname, '../fixtures/audit-writer.ts')

interface Writer {
  readonly child: ChildProcess
  /** Returns the number of the last acknowledged event. */
  readonly acknowledged: () => number
  readonly ended: Promise<unknown>
}

function writer(directory: string, name: string, count: number, fileBytes = 0): Writer {
  const child = spawn(process.execPath, [program, directory, name, String(count), String(fileBytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', (chunk) => {
    said += String(chunk)
  })
  return { child, acknowledged: () => Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1)), ended: once(child, 'close') }
}

function eventsOf(directory: string, name: string): number[] {
  return newestLines(directory, { cell: name, kind: 'cell' }, 1_000_000).lines.map((each) => Number(each.data['event']))
}

test('three processes write one chain', async () => {
  await using at = await temporary()
  const names = ['aa', 'bb', 'cc']
  const writers = names.map((name) => writer(at.path, name, 200, 40_000))
  await Promise.all(writers.map(({ ended }) => ended))
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, problem: null })
  for (const name of names) {
    expect(eventsOf(at.path, name)).toEqual(Array.from({ length: 200 }, (_, each) => each + 1))
    expect(newestLines(at.path, { cell: name }, 10_000).lines).toHaveLength(800)
  }
})

test('kill -9 in the middle, again and again, beside another writer: what was acknowledged is there, and the chain is whole', async () => {
  await using at = await temporary()
  const steady = writer(at.path, 'ee', 1_000_000, 100_000)
  for (let round = 0; round < 6; round++) {
    const name = `f${round}`
    const victim = writer(at.path, name, 1_000_000, 100_000)
    for (let chunks = 0; chunks <= round; chunks++) await once(victim.child.stdout as NodeJS.ReadableStream, 'data')
    victim.child.kill('SIGKILL')
    await victim.ended
    const events = eventsOf(at.path, name)
    expect(events.length).toBeGreaterThanOrEqual(victim.acknowledged())
    expect(events).toEqual(Array.from({ length: events.length }, (_, each) => each + 1))
  }
  steady.child.kill('SIGKILL')
  await steady.ended
  const last = writer(at.path, 'dd', 1)
  await last.ended
  expect(verifyAudit(at.path)).toMatchObject({ whole: true, problem: null })
  expect(eventsOf(at.path, 'ee').length).toBeGreaterThanOrEqual(steady.acknowledged())
})
