import { expect, test } from 'vitest'
import { backup, restore } from '../../../src/fleet/backup/backup.ts'
import { databaseProblem } from '../../../src/fleet/backup/check-database.ts'
import { fleetData } from '../../../src/fleet/data-directory.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'
import { resultOf } from '../../support/job-result.ts'

/** A store with a row in each table that is checked. */
async function filled() {
  const store = await openTestStore()
  const { agents, jobs, leases, schedules, webhooks, discord, tokens } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'], memory: { last: 3 } }, 'bob')
  const { lease } = leases.create({
    ...{ name: 'l', agent: agent.id, expiresAt: '2099-01-01T00:00:00.000Z', tools: ['a'], budget: { usd: 1 } },
    topics: { allow: ['x'] },
  })
  const limits = [{ budget: 'the budget of the job', unit: 'usd', limit: 1, before: 0 }] as const
  const { job } = jobs.put({ ...plainJob, agent: agent.id, lease: lease.id, limits })
  agents.decide(agent.id, 1, true)
  jobs.claim({ id: agent.id, labels: [], adapter: 'command' }, [])
  jobs.end(job.id, { result: resultOf(job.id) })
  schedules.create({ name: 's', agent: agent.id, cron: '* * * * *', zone: 'UTC', prompt: 'p', missed: 'once', overlap: 'skip' })
  const { webhook } = webhooks.create({ name: 'w', url: 'https://receiver.example/', kinds: ['job.ended'], secret: null })
  const outcome = { event: 1, kind: null, at: '2026-01-01T00:00:00.000Z', attempts: 1, status: null, problem: null, nextAt: null } as const
  webhooks.note(webhook, { ...outcome, state: 'given-up' })
  discord.store.connect({ id: '1', name: 'bot' }, 'token')
  discord.store.remember({ id: 's', sequence: 1, url: 'wss://gateway.example' })
  discord.store.setChannel({ id: '1153726112345678901', agent: agent.id, users: ['80351110224678912'], readTo: '1' })
  const post = { key: 'k', channel: '1153726112345678901', replyTo: null, content: 'c', file: null }
  discord.posts.add({ ...post, about: { job: job.id } })
  tokens.create({ name: 't', role: 'viewer', expiresAt: null })
  return store
}

test('a database as Paddock writes it has no problem', async () => {
  using store = await filled()
  expect(databaseProblem(store.database)).toBeNull()
})

test.each([
  ["UPDATE agents SET id = '../../..'", /is not there$/],
  ["UPDATE agents SET manifest = 'x'", 'row 1 of agents in its database has a wrong manifest'],
  ["UPDATE agents SET manifest = json_set(manifest, '$.command', 7)", 'row 1 of agents in its database has a wrong manifest.command'],
  ["UPDATE jobs SET id = 'j-../../../../etc/passwd'", /wrong id$|not there$/],
  ["UPDATE jobs SET state = 'ready'", 'row 1 of jobs in its database has a wrong state'],
  ["UPDATE jobs SET result = '{}'", /^row 1 of jobs in its database has a wrong result\./],
  ["UPDATE jobs SET limits = '[{}]'", 'row 1 of jobs in its database has a wrong limits.0.budget'],
  ["UPDATE events SET data = '['", 'row 1 of events in its database has a wrong data'],
  ["UPDATE tokens SET role = 'root'", 'row 1 of tokens in its database has a wrong role'],
  ['UPDATE leases SET terms = \'{"tools":7}\'', 'row 1 of leases in its database has a wrong terms.tools'],
  ["UPDATE schedules SET missed = 'all'", 'row 1 of schedules in its database has a wrong missed'],
  ["UPDATE webhooks SET kinds = '{}'", 'row 1 of webhooks in its database has a wrong kinds'],
  ["UPDATE webhook_outcomes SET state = ''", 'row 1 of webhook_outcomes in its database has a wrong state'],
  ["UPDATE discord SET session = '1'", 'row 1 of discord in its database has a wrong session'],
  ["UPDATE discord_channels SET users = '[1]'", 'row 1 of discord_channels in its database has a wrong users.0'],
  ["UPDATE discord_posts SET about = 'null,'", 'row 1 of discord_posts in its database has a wrong about'],
  ['CREATE TRIGGER more AFTER INSERT ON events BEGIN UPDATE agents SET approved = 1; END', 'its database has a foreign trigger more'],
  ['CREATE VIEW more AS SELECT 1', 'its database has a foreign view more'],
  ['DROP TABLE hooks', 'its database has no table hooks'],
  ['ALTER TABLE hooks ADD COLUMN more TEXT', 'its database has a foreign table hooks'],
  [
    "PRAGMA foreign_keys=OFF; UPDATE schedules SET agent_id = 'a-0'",
    'a row of schedules in its database belongs to a row that is not there',
  ],
])('a database after %s has one', async (change, problem) => {
  using store = await filled()
  store.database.sql('PRAGMA foreign_keys=OFF').run()
  for (const each of change.split(/; (?=UPDATE schedules)/)) store.database.sql(each).run()
  expect(databaseProblem(store.database)).toMatch(problem)
})

test('a backup with such a database is not restored', async () => {
  using store = await filled()
  const data = fleetData(`${store.root}/data`)
  store.database.sql("UPDATE tokens SET role = 'root'").run()
  await backup(data, `${store.root}/fleet.tar`)
  await expect(restore(`${store.root}/fleet.tar`, fleetData(`${store.root}/other`))).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: `${store.root}/fleet.tar is not a backup of a fleet: row 1 of tokens in its database has a wrong role.`,
  })
})
