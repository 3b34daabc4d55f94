import { chmodSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { apiClient } from '../../../src/client/api-client.ts'
import { everyone } from '../../support/cli.ts'
import { endOf, jobIn } from '../../support/fleet-job.ts'
import { startFleet } from '../../support/fleet-server.ts'

// Recorded by test/fixtures/fleets/record.ts with older versions, whose databases had these schemas.
const recorded = fileURLToPath(new URL('../../fixtures/fleets', import.meta.url))
const names = readdirSync(recorded).filter((each) => each.startsWith('schema-'))

test('there are fleets of five older versions', () => {
  expect(names).toHaveLength(5)
})

describe.each(everyone)('a server on the fleet of an older version, as %s', (who) => {
  test.each(names)('keeps agents, jobs, tokens, schedules and hooks of %s, and works with them', async (name) => {
    await using fleet = await startFleet(who)
    await fleet.kill('SIGTERM')
    rmSync(fleet.data, { recursive: true })
    cpSync(path.join(recorded, name), fleet.data, { recursive: true })
    const database = new DatabaseSync(path.join(fleet.data, 'fleet.db'))
    database.exec(readFileSync(path.join(fleet.data, 'fleet.sql'), 'utf8'))
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: Number(name.split('-')[1]) })
    database.close()
    for (const each of ['fleet.sql', 'facts.json']) rmSync(path.join(fleet.data, each))
    // Git does not keep modes.
    for (const each of readdirSync(fleet.data, { withFileTypes: true, recursive: true }))
      chmodSync(path.join(each.parentPath, each.name), each.isDirectory() ? 0o700 : 0o600)
    chmodSync(fleet.data, 0o700)
    fleet.stage.own()
    await fleet.start()

    const { token } = JSON.parse(readFileSync(path.join(recorded, name, 'facts.json'), 'utf8')) as { token: string }
    const reader = apiClient(fleet.url, (request) => fetch(request), token)
    const agents = (await reader.GET('/api/v1/agents', { params: { query: { archived: 'true' } } })).data?.items
    expect(agents?.map(({ name: each, state, isApproved, waiting }) => [each, state, isApproved, waiting])).toEqual([
      ['keeper', 'idle', true, null],
      ['resting', 'stopped', true, null],
      ['shelved', 'archived', true, null],
    ])
    expect(agents?.[0]?.manifest).toMatchObject({ labels: ['old'], limits: { memory: '1GiB' } })
    const schedules = (await reader.GET('/api/v1/schedules')).data?.items
    expect(schedules?.map((each) => [each.name, each.cron, each.agent])).toEqual([['yearly', '0 0 1 1 *', 'keeper']])
    const hooks = (await reader.GET('/api/v1/hooks')).data?.items.map((each) => each.name)
    expect(hooks).toEqual(name === 'schema-7' ? [] : ['incoming'])

    const jobs = (await reader.GET('/api/v1/jobs')).data?.items ?? []
    expect(jobs.map(({ agent, state }) => [agent, state])).toEqual([
      ['resting', 'queued'],
      ['keeper', 'done'],
    ])
    const params = { params: { path: { job: jobs[1]?.id ?? '' } } }
    expect((await reader.GET('/api/v1/jobs/{job}', params)).data).toMatchObject({
      prompt: 'the first prompt',
      result: { text: 'the first prompt', outcome: { kind: 'ran' } },
    })
    const kept = await reader.GET('/api/v1/agents/{agent}/files', { params: { path: { agent: 'keeper' }, query: { path: 'kept' } } })
    expect(kept.data).toMatchObject({ kind: 'file', text: 'the first prompt' })

    const owner = apiClient(fleet.url, (request) => fetch(request), await fleet.token('owner'))
    await owner.POST('/api/v1/agents/{agent}/start', { params: { path: { agent: 'resting' } } })
    expect((await endOf({ api: owner }, jobs[0]?.id ?? '')).result).toMatchObject({ text: 'the waiting prompt' })
    expect((await jobIn({ api: owner }, 'keeper', 'a new prompt')).result).toMatchObject({ text: 'a new prompt' })
  })
})
