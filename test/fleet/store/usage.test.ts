import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/files/sqlite.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openStore } from '../../../src/fleet/store/fleet-store.ts'
import { migrations } from '../../../src/fleet/store/migrations.ts'
import { openTestStore } from '../../support/fleet-store.ts'

const [from, to] = ['2026-02-01', '2026-02-28']
const used = (day: string, costUsd: number, model: string | null = null) => ({
  usage: { input: 10, output: 5, cachedInput: 0, model },
  costUsd,
  toolCalls: 1,
  turns: 1,
  cellMs: 1_000,
  startedAt: `${day}T10:00:00.000Z`,
  endedAt: `${day}T10:00:01.000Z`,
})

test('usage by kind keeps what an agent used before it became one of another kind', async () => {
  using store = await openTestStore()
  const [one, other] = ['one', 'other'].map((name) => store.agents.create({ name, agent: 'claude' }, null))
  if (one === undefined || other === undefined) throw new Error('no agents')
  store.usage.add(one.id, used('2026-02-10', 1))
  store.usage.add(other.id, used('2026-02-10', 2))
  store.agents.edit(one.id, { ...one.manifest, agent: 'codex' }, one.version, null)
  store.usage.add(one.id, used('2026-02-10', 4))
  const { items, total } = store.usage.read({ by: 'kind', from, to })
  expect(items.map(({ name, jobs, costUsd }) => [name, jobs, costUsd])).toEqual([
    ['codex', 1, 4],
    ['claude', 2, 3],
  ])
  expect(total.costUsd).toBe(7)
  expect(store.usage.days({ by: 'kind', from, to, most: 1 }).map(({ day, name, costUsd }) => [day, name, costUsd])).toEqual([
    ['2026-02-10', 'codex', 4],
    ['2026-02-10', null, 3],
  ])
})

test('usage of an older database is kept, under the kind that its agent has now', async () => {
  using store = await openTestStore()
  const data = fleetData(path.join(store.root, 'old'))
  mkdirSync(data.root, { mode: 0o700 })
  const old = openSqlite(data.database)
  const before = migrations.findIndex((each) => each.includes('usage_by_kind'))
  for (const each of migrations.slice(0, before)) old.exec(each)
  old.exec(`PRAGMA user_version=${before};
    INSERT INTO agents (id, name, manifest, version, wanted, created_at, updated_at)
      VALUES ('a-1', 'one', '{"name":"one","agent":"gemini"}', 1, 'started', '', '');
    INSERT INTO usage VALUES ('2026-02-10', 'a-1', 'pro', 'one', 3, 1, 10, 5, 0, 2.5, 4, 1000, 6, 900), ('2026-02-11', 'gone', '', 'gone', 1, 0, 1, 1, 0, 0.5, 0, 10, 1, 9)`)
  old.close()
  using opened = await openStore(data)
  expect(opened.usage.read({ by: 'kind', from, to }).items.map(({ name, jobs, costUsd }) => [name, jobs, costUsd])).toEqual([
    ['gemini', 3, 2.5],
    ['', 1, 0.5],
  ])
  expect(opened.usage.spent('a-1', from, to)).toEqual({ turns: 6, tokens: 15, usd: 2.5, time: 900 })
})
