import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { removeTree } from '../../../src/files/remove-tree.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openStore } from '../../../src/fleet/store/fleet-store.ts'
import { both, makeStage, paddock } from '../../support/cli.ts'
import { facts, makeTree, oddEntry } from '../../support/odd-trees.ts'

test.each(both)('a restored fleet has every entry of a workspace, whatever its name, kind and mode, as %s', async (who) => {
  using stage = makeStage(who)
  const data = fleetData(path.join(stage.root, 'home', 'fleet'))
  const store = await openStore(data)
  const { id } = store.agents.create({ name: 'maker', agent: 'command', command: ['true'] }, null)
  store[Symbol.dispose]()
  const { work } = data.agent(id).slot(1)
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await paddock(stage, ['fleet', ...args, '--json'])
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const [file, other] = [path.join(stage.root, 'home', 'fleet.tar'), fleetData(path.join(stage.root, 'home', 'other'))]
  const { uid, gid } = statSync(stage.home)
  const own = (): void => void execFileSync('chown', ['-RhP', `${uid}:${gid}`, data.root])
  await fc.assert(
    fc.asyncProperty(fc.array(oddEntry, { maxLength: 16 }), async (entries) => {
      await removeTree(work)
      await removeTree(other.root)
      rmSync(file, { force: true })
      mkdirSync(work, { recursive: true })
      makeTree(work, entries, own)
      const before = facts(work)
      expect(await run('backup', file, '--data', data.root)).toMatchObject({ missing: [] })
      expect(facts(work)).toEqual(before)
      await run('restore', file, '--data', other.root)
      expect(facts(work.replace(data.root, other.root))).toEqual(before)
    }),
    { numRuns: Number(process.env['FUZZ'] ?? 15) },
  )
})
