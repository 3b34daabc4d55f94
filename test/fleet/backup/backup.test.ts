import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { markInert } from '../../../src/cell/plan/protected/inert-mark.ts'
import { removeTree } from '../../../src/files/remove-tree.ts'
import { backup, restore } from '../../../src/fleet/backup/backup.ts'
import { type FleetData, fleetData } from '../../../src/fleet/data-directory.ts'
import { openTestStore } from '../../support/fleet-store.ts'
import { facts, makeTree, oddEntry } from '../../support/odd-trees.ts'
import { temporary } from '../../support/temporary.ts'

/** A fleet with one agent, whose workspace is made. */
async function stage(): Promise<{ readonly data: FleetData; readonly work: string; readonly root: string } & AsyncDisposable> {
  const store = await openTestStore()
  const data = fleetData(path.join(store.root, 'data'))
  const { id } = store.agents.create({ name: 'maker', agent: 'command', command: ['true'] }, null)
  const { work } = data.agent(id).slot(1)
  mkdirSync(work, { recursive: true })
  mkdirSync(path.dirname(data.agent(id).hostLog))
  writeFileSync(data.agent(id).hostLog, 'log')
  return {
    ...{ data, work, root: store.root },
    async [Symbol.asyncDispose]() {
      await removeTree(data.agent(id).root)
      store[Symbol.dispose]()
    },
  }
}

it('a restored fleet has every entry of the tree, with its kind, mode, time, content and links, whatever its name', async () => {
  await using at = await stage()
  await fc.assert(
    fc.asyncProperty(fc.array(oddEntry, { maxLength: 12 }), async (entries) => {
      await removeTree(at.work)
      mkdirSync(at.work)
      makeTree(at.work, entries)
      const before = facts(at.work)
      const { missing } = await backup(at.data, path.join(at.root, 'fleet.tar'))
      expect([missing, facts(at.work)]).toEqual([[], before])
      const other = fleetData(path.join(at.root, 'other'))
      await restore(path.join(at.root, 'fleet.tar'), other)
      const restored = at.work.replace(at.data.root, other.root)
      expect(facts(restored)).toEqual(before)
      await removeTree(other.root)
      rmSync(path.join(at.root, 'fleet.tar'))
    }),
    { numRuns: Number(process.env['FUZZ'] ?? 25) },
  )
})

it('only sockets and the directories of host processes are left out of a backup', async () => {
  await using at = await stage()
  for (const each of ['host', 'src/host', 'agents/a/host']) {
    mkdirSync(path.join(at.work, each), { recursive: true })
    writeFileSync(path.join(at.work, each, 'page.ts'), each)
  }
  writeFileSync(path.join(at.work, 'agents/host'), 'a file')
  const socket = createServer().listen(path.join(at.work, 'socket'))
  await new Promise((resolve) => socket.once('listening', resolve))
  const file = path.join(at.root, 'fleet.tar')
  expect(await backup(at.data, file)).toMatchObject({ missing: [] })
  socket.close()
  await new Promise((resolve) => socket.once('close', resolve))
  const other = fleetData(path.join(at.root, 'other'))
  await restore(file, other)
  const [agent = ''] = readdirSync(path.join(other.root, 'agents'))
  expect(readdirSync(other.root).sort()).toEqual(['agents', 'fleet.db'])
  expect(readdirSync(other.agent(agent).root)).toEqual(['slots'])
  expect(facts(at.work.replace(at.data.root, other.root))).toEqual(facts(at.work))
})

it('a directory whose content cannot be compared with the archive is reported', async () => {
  await using at = await stage()
  let deep = at.work
  for (let depth = 0; depth < 205; depth += 1) deep = path.join(deep, 'd')
  mkdirSync(deep, { recursive: true })
  const { missing } = await backup(at.data, path.join(at.root, 'fleet.tar'))
  expect(missing).toEqual([expect.stringMatching(/^agents\/a-.*\/d\/d \(deeper than 200 directories\)$/)])
})

it('inert entries of cells are not in a restored fleet', async () => {
  await using at = await stage()
  for (const each of ['.claude', '.config', '.config/inner']) mkdirSync(path.join(at.work, each))
  for (const each of ['.envrc', '.config/inner/file', 'own']) writeFileSync(path.join(at.work, each), '')
  for (const each of ['.envrc', '.config/inner/file', '.config/inner', '.config', '.claude']) markInert(path.join(at.work, each))
  const [file, other] = [path.join(at.root, 'fleet.tar'), fleetData(path.join(at.root, 'other'))]
  expect(await backup(at.data, file)).toMatchObject({ missing: [] })
  await restore(file, other)
  expect(readdirSync(at.work.replace(at.data.root, other.root))).toEqual(['own'])
})

it('an archive cannot change modes outside of its fleet', async () => {
  await using at = await stage()
  await using directory = await temporary()
  writeFileSync(directory.at('victim'), '', { mode: 0o600 })
  symlinkSync(directory.path, path.join(at.work, 'link'))
  const file = path.join(at.root, 'fleet.tar')
  await backup(at.data, file)
  const work = path.relative(at.data.root, at.work)
  const up = path.relative(path.join(at.root, 'other'), directory.at('victim'))
  const modes = [`${work}/link/victim`, up, directory.at('victim')].map((name) => [name, 0o200])
  writeFileSync(directory.at('modes.json'), JSON.stringify(modes))
  execFileSync('tar', ['--append', '-f', file, '-C', directory.path, 'modes.json'])
  await restore(file, fleetData(path.join(at.root, 'other')))
  expect(lstatSync(directory.at('victim')).mode & 0o777).toBe(0o600)
})

it('an archive whose parts lead elsewhere is refused, and nothing outside of the new directory is read or changed', async () => {
  await using at = await stage()
  await using live = await stage()
  const good = path.join(at.root, 'fleet.tar')
  await backup(at.data, good)
  const before = readFileSync(live.data.database)
  const parts: Readonly<Record<string, string>> = {
    'fleet.db': live.data.database,
    'modes.json': '/etc/passwd',
    'origin.json': '/etc/passwd',
    agents: path.dirname(live.data.agent('any').root),
  }
  for (const [part, elsewhere] of Object.entries(parts)) {
    const made = path.join(at.root, 'made')
    mkdirSync(made)
    execFileSync('tar', ['-xf', good, '-C', made])
    rmSync(path.join(made, part), { recursive: true })
    symlinkSync(elsewhere, path.join(made, part))
    const crafted = path.join(at.root, 'crafted.tar')
    execFileSync('tar', ['-cf', crafted, '-C', made, ...readdirSync(made)])
    rmSync(made, { recursive: true })
    const other = fleetData(path.join(at.root, 'other'))
    await expect(restore(crafted, other), part).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: `${crafted} is not a backup of a fleet: ${part} in it is not ${part === 'agents' ? 'a directory' : 'a regular file'}.`,
    })
    expect(existsSync(other.root)).toBe(false)
  }
  expect(readFileSync(live.data.database)).toEqual(before)
  const other = path.join(at.root, 'owner.lock')
  writeFileSync(other, '')
  const more = path.join(at.root, 'more.tar')
  copyFileSync(good, more)
  execFileSync('tar', ['-rf', more, '-C', at.root, path.basename(other)])
  await expect(restore(more, fleetData(path.join(at.root, 'other')))).rejects.toThrow('is not a backup of a fleet: it has owner.lock.')
})

it('a restored directory is closed to others, whatever the archive says', async () => {
  await using at = await stage()
  const good = path.join(at.root, 'fleet.tar')
  await backup(at.data, good)
  const made = path.join(at.root, 'made')
  mkdirSync(made)
  execFileSync('tar', ['-xf', good, '-C', made])
  chmodSync(made, 0o777)
  const crafted = path.join(at.root, 'crafted.tar')
  execFileSync('tar', ['-cf', crafted, '-C', made, '.'])
  const other = fleetData(path.join(at.root, 'other'))
  await restore(crafted, other)
  expect(lstatSync(other.root).mode & 0o777).toBe(0o700)
})
