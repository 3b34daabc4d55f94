import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type BuilderPlaces, ownCopy, requireCellBuilders, restrictedByAppArmor } from '../../src/cell/backends/bubblewrap/cell-builders.ts'
import { temporary } from '../support/temporary.ts'

const rooms: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of rooms.splice(0)) await each[Symbol.asyncDispose]()
})

/** Returns the places of a machine with these copies and this value of the kernel setting. */
async function machine(copies: readonly string[], restriction: string | null): Promise<BuilderPlaces> {
  const directory = await temporary()
  rooms.push(directory)
  const places = { copies: directory.at('lib'), restriction: directory.at('setting') }
  mkdirSync(places.copies)
  for (const each of copies) writeFileSync(path.join(places.copies, each), '', { mode: 0o755 })
  if (restriction !== null) writeFileSync(places.restriction, `${restriction}\n`)
  return places
}
const both = ['bwrap', 'unshare']

it('cells are built by the copies if both exist', async () => {
  const where = await machine(both, '1')
  const { bwrap, unshare, own } = requireCellBuilders('', false, where)
  expect([path.dirname(bwrap), path.dirname(unshare), own]).toEqual([where.copies, where.copies, true])
  expect(requireCellBuilders('', false, await machine(both, null)).own).toBe(true)
})

it('cells are built by the programs of the system if a copy is missing', async () => {
  for (const each of both) {
    const where = await machine([each], '1')
    expect([ownCopy('bwrap', where), ownCopy('unshare', where)]).toEqual([null, null])
    expect(requireCellBuilders('', false, where)).toMatchObject({ unshare: expect.stringMatching(/\/bin\/unshare$/), own: false })
  }
})

it('a nested sandbox is refused if only the copies may create user namespaces', async () => {
  const where = await machine(both, '1')
  expect(() => requireCellBuilders('', true, where)).toThrow(/^--nested-sandbox: AppArmor denies/)
})

it('a nested sandbox is built by the programs of the system if AppArmor does not restrict them', async () => {
  for (const value of ['0', null]) {
    const where = await machine(both, value)
    expect([restrictedByAppArmor(where), requireCellBuilders('', true, where).own]).toEqual([false, false])
  }
  // Somebody has given the system's programs a profile, or there are no copies yet: the cell shows whether it can be built.
  expect(requireCellBuilders('', true, await machine([], '1')).own).toBe(false)
})
