import { expect, test } from 'vitest'
import { manifestSchema } from '../../../src/fleet/manifest/manifest-schema.ts'
import { openTestStore } from '../../support/fleet-store.ts'

test('a manifest is parsed once for each change of its agent, and an undone change is not remembered', async () => {
  using store = await openTestStore()
  const { agents, database } = store
  const manifest = manifestSchema.parse({ name: 'docs', agent: 'claude' })
  const { id } = agents.create(manifest, null)
  const first = agents.get(id)
  const list = () => agents.list({ after: null, limit: 10, archived: true })
  expect([agents.get(id), agents.find('docs'), list()[0]].every((each) => each === first)).toBe(true)
  const undo = () =>
    database.transaction(() => {
      agents.edit(id, { ...manifest, name: 'undone' }, 1, null)
      expect(agents.get(id)?.name).toBe('undone')
      throw new Error('undone')
    })
  expect(undo).toThrow('undone')
  expect(agents.get(id)).toEqual(first)
  agents.edit(id, { ...manifest, name: 'other', notes: 'x' }, 1, null)
  expect([agents.find('other').manifest.notes, agents.get(id)?.version, list()[0]?.name]).toEqual(['x', 2, 'other'])
  expect(() => agents.edit(id, manifest, 1, null)).toThrow('was edited meanwhile')
  expect(agents.get(id)?.name).toBe('other')
  expect([agents.want(id, 'stopped'), agents.get(id)]).toMatchObject([{ wanted: 'stopped' }, { wanted: 'stopped' }])
  expect([agents.archive(id).archivedAt, agents.get(id)?.archivedAt]).not.toContain(null)
  agents.remove(id)
  expect([agents.get(id), list()]).toEqual([null, []])
})
