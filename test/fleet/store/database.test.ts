import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/files/sqlite.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openStore } from '../../../src/fleet/store/fleet-store.ts'
import { tokenStore } from '../../../src/fleet/store/token-store.ts'
import { useStatements } from '../../support/fleet-statements.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'

test('only one process owns the data, and no other user may read it', async () => {
  using store = await openTestStore()
  const data = fleetData(path.join(store.root, 'data'))
  await expect(openStore(data)).rejects.toMatchObject({ code: 'BUSY', message: expect.stringContaining('is in use by') })
  expect([statSync(data.root).mode & 0o777, statSync(data.database).mode & 0o777]).toEqual([0o700, 0o600])
})

test('the next owner reads what was written, and data of a newer version is refused and unchanged', async () => {
  using store = await openTestStore()
  const data = fleetData(path.join(store.root, 'other'))
  const first = await openStore(data)
  const agent = first.agents.create({ name: 'kept', agent: 'command', command: ['true'] }, null)
  first[Symbol.dispose]()
  const second = await openStore(data)
  expect(second.agents.find('kept')).toEqual(agent)
  second[Symbol.dispose]()
  const newer = openSqlite(data.database)
  newer.exec('PRAGMA user_version=99')
  newer.close()
  await expect(openStore(data)).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('newer Paddock') })
  expect(existsSync(data.database)).toBe(true)
})

test('a full disk is one error that says so, and what was acknowledged before and is given after it is there', async () => {
  using store = await openTestStore()
  const { sql } = store.database
  const before = store.jobs.put(plainJob)
  const pages = Number(sql('PRAGMA page_count').get()?.['page_count'])
  sql(`PRAGMA max_page_count=${pages}`).get()
  const large = { ...plainJob, prompt: 'x'.repeat(200_000) }
  const refused = expect.objectContaining({
    code: 'FILES_FAILED',
    message: 'The state of the fleet cannot be written: database or disk is full.',
    hint: expect.stringMatching(/^Make room on the disk of .*fleet\.db; what was acknowledged is there$/),
  })
  expect(() => store.jobs.put(large)).toThrow(refused)
  sql('PRAGMA max_page_count=1000000').get()
  const after = store.jobs.put(large)
  const ids = store.jobs.list({}, { before: null, limit: 10 }).map(({ id }) => id)
  expect(ids).toEqual([after.job.id, before.job.id])
})

test('no statement on a table that grows scans it', async () => {
  using store = await openTestStore()
  const texts = new Set<string>()
  const sql = (text: string) => {
    texts.add(text)
    return store.database.sql(text)
  }
  useStatements({ ...store.database, sql }, '1')
  expect(texts.size).toBeGreaterThan(25)
  const scans = [...texts].flatMap((text) =>
    store.database
      .sql(`EXPLAIN QUERY PLAN ${text}`)
      .all(
        ...Array.from(
          { length: Math.max((text.match(/\?(?!\d)/g) ?? []).length, ...[...text.matchAll(/\?(\d)/g)].map(([, n]) => Number(n))) },
          () => 1,
        ),
      )
      .map((row) => String(row['detail']))
      // The first row in key order is one step, and so is each further one up to a LIMIT.
      .filter((detail) => /^SCAN (jobs|events|agents|usage|job_\w+)\b/.test(detail) && !/ORDER BY \w+( DESC)? LIMIT/.test(text))
      .map((detail) => `${detail}: ${text}`),
  )
  expect(scans).toEqual([])
})

test('a token is known by its secret until it is revoked or expires, and its secret is nowhere', async () => {
  using store = await openTestStore()
  let time = Date.parse('2026-01-01T00:00:00Z')
  const tokens = tokenStore(store.database, store.events, () => new Date(time))
  const { token, secret } = tokens.create({ name: 'ci', role: 'operator', expiresAt: '2026-01-02T00:00:00.000Z' })
  expect(secret).toMatch(/^pdk_[A-Za-z0-9_-]{43}$/)
  expect(() => tokens.create({ name: 'ci', role: 'viewer', expiresAt: null })).toThrow('There is a token named ci already.')
  expect(tokens.check(secret)?.id).toBe(token.id)
  expect(tokens.get(token.id)?.lastUsedAt).toBe('2026-01-01T00:00:00.000Z')
  for (const each of ['', 'pdk_', secret.slice(0, -1), `${secret}x`, secret.toUpperCase()]) expect(tokens.check(each)).toBeNull()
  time += 86_400_000
  expect(tokens.check(secret)).toBeNull()
  time -= 86_400_000
  expect(tokens.revoke('ci').revokedAt).not.toBeNull()
  expect([tokens.check(secret), tokens.list().length]).toEqual([null, 1])
  expect(() => tokens.revoke('ci')).toThrow('There is no token named ci.')
  tokens.create({ name: 'ci', role: 'viewer', expiresAt: null })
  for (const each of ['fleet.db', 'fleet.db-wal']) expect(readFileSync(path.join(store.root, 'data', each)).includes(secret)).toBe(false)
})
