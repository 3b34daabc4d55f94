import { spawn } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { sharedFiles } from '../../../src/cell/plan/shared-files.ts'
import { linkedNames } from '../../../src/cell/trees/shared/find-shared.ts'
import { makeOwnCopies } from '../../../src/cell/trees/shared/own-copies.ts'
import * as hostPrograms from '../../../src/system/host-program.ts'
import { temporary } from '../../support/temporary.ts'

vi.mock('../../../src/system/host-program.ts', { spy: true })

const program = path.join(import.meta.dirname, '../../../src/cell/trees/shared/own-copies.pl')

/** A project and the store that it shares files with. */
async function place(count: number) {
  const directory = await temporary()
  const [project, store] = ['project', 'store'].map((each) => directory.at(each)) as [string, string]
  for (const each of [project, store]) mkdirSync(each)
  const names = Array.from({ length: count }, (_, index) => `${index}.js`)
  for (const each of names) {
    writeFileSync(path.join(store, each), `content of ${each}\n`)
    linkSync(path.join(store, each), path.join(project, each))
  }
  const entry = { kind: 'bind', source: project, target: project, access: 'rw', reason: 'project' } as const
  const found = async () => sharedFiles((await linkedNames([project])).linked, [entry])
  return { project, store, names, found, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

test('a killed copier leaves whole files, and at most names that the next search finds', async () => {
  await using at = await place(600)
  const files = await at.found()
  expect(files).toHaveLength(600)
  const child = spawn('perl', [program], { stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.stdin.end(files.map(({ paths }) => `${paths.join('\0')}\0\0`).join(''))
  const isOwn = (name: string): boolean => lstatSync(path.join(at.project, name)).nlink === 1
  const first = files[0]?.paths.map((each) => path.basename(each))[0] ?? ''
  while (!isOwn(first)) await setTimeout(1)
  child.kill('SIGKILL')
  await ended

  for (const each of at.names) expect(readFileSync(path.join(at.project, each), 'utf8')).toBe(`content of ${each}\n`)
  const more = readdirSync(at.project).filter((each) => !at.names.includes(each))
  const { left } = await linkedNames([at.project])
  expect(left.map((each) => path.basename(each))).toEqual(more)

  await makeOwnCopies(await at.found(), undefined)
  expect(at.names.every(isOwn)).toBe(true)
  expect(at.names.every((each) => readFileSync(path.join(at.store, each), 'utf8') === `content of ${each}\n`)).toBe(true)
})

test('a file that is written meanwhile is copied with what was written', async () => {
  await using at = await place(2)
  const file = path.join(at.store, '0.js')
  const descriptor = openSync(file, 'a')
  const done = makeOwnCopies(await at.found(), undefined)
  while (lstatSync(path.join(at.project, '1.js')).nlink > 1) await setTimeout(1)
  expect(lstatSync(path.join(at.project, '0.js')).nlink).toBe(2)
  appendFileSync(descriptor, 'more\n')
  closeSync(descriptor)
  await done

  expect(await at.found()).toEqual([])
  expect(readFileSync(path.join(at.project, '0.js'), 'utf8')).toBe('content of 0.js\nmore\n')
})

test('an aborted start leaves whole files', async () => {
  await using at = await place(600)
  const abort = new AbortController()
  const done = makeOwnCopies(await at.found(), abort.signal)
  abort.abort(new Error('stopped'))
  await expect(done).rejects.toThrow('stopped')
  for (const each of at.names) expect(readFileSync(path.join(at.project, each), 'utf8')).toBe(`content of ${each}\n`)
})

test('a directory that became a link is not followed', async () => {
  await using at = await place(1)
  const files = await at.found()
  const moved = files.map((each) => ({ ...each, paths: [path.join(at.project, 'link/0.js')] }))
  symlinkSync(at.store, path.join(at.project, 'link'))
  await makeOwnCopies(moved, undefined)
  expect(lstatSync(path.join(at.store, '0.js')).nlink).toBe(2)
})

test('a name that is found twice counts once', async () => {
  await using at = await place(1)
  const { linked } = await linkedNames([at.project, at.project])
  expect(linked.map((each) => path.basename(each.path))).toEqual(['0.js'])
})

test('without GNU find, the same files are found', async () => {
  await using at = await place(3)
  writeFileSync(path.join(at.project, '.paddock-own-0123456789ab'), '')
  const sorted = async ({ linked, left }: Awaited<ReturnType<typeof linkedNames>>) => [linked.map((each) => each.path).toSorted(), left]
  const found = await sorted(await linkedNames([at.project]))
  vi.spyOn(hostPrograms, 'hostProgram').mockReturnValue('/bin/false')
  try {
    expect(await sorted(await linkedNames([at.project]))).toEqual(found)
  } finally {
    vi.restoreAllMocks()
  }
  expect(found[0]).toHaveLength(3)
  expect(found[1]).toHaveLength(1)
})
