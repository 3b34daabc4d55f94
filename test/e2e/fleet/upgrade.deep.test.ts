import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/client/api.ts'
import { isAlive } from '../../fleet/host-process/host-stage.ts'
import { everyone } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'
import { freshDirectory } from '../../support/fresh-directory.ts'
import { otherVersion } from '../../support/other-version.ts'

type Job = components['schemas']['WholeJob']

let before = ''
beforeAll(async () => {
  const place = freshDirectory('/tmp/paddock-test-')
  chmodSync(place, 0o755)
  before = await otherVersion(place)
})

describe.each(everyone)('a server after an upgrade, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  const create = async (name: string, command: string, more = ''): Promise<string> => {
    const yaml = `{name: ${name}, agent: command, command: [sh, -c, '${command}'], egress: {policy: off}, idle: 24h${more}}`
    return (await fleet.api.POST('/api/v1/agents', { body: { yaml } })).data?.id ?? ''
  }
  const give = async (agent: string, prompt = 'x'): Promise<string> =>
    (await fleet.api.POST('/api/v1/jobs', { body: { labels: [], agent, prompt } })).data?.id ?? ''
  const job = async (id: string): Promise<Job> => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data as Job
  const upgrade = async (): Promise<void> => {
    await fleet.kill('SIGTERM')
    await fleet.start()
  }
  const downgrade = async (): Promise<void> => {
    await fleet.kill('SIGTERM')
    await fleet.start([], before)
  }

  test('an idle host process of another version is replaced at the next job', async () => {
    await downgrade()
    const agent = await create('rested', 'cat')
    const first = await give(agent)
    await expect.poll(async () => (await job(first)).state).toBe('done')
    const old = fleet.hostOf(agent)
    await upgrade()
    const second = await give(agent)
    await expect.poll(async () => (await job(second)).state).toBe('done')
    expect((await job(second)).attempt).toBe(1)
    expect(fleet.hostOf(agent)).not.toBe(old)
    expect(isAlive(old)).toBe(false)
  })

  test('a busy one finishes its job, which is followed, and only then the next job starts, in a new one', async () => {
    await downgrade()
    const agent = await create('busy', 'touch begun; while ! [ -e go ]; do sleep 0.1; done; cat', ', parallel: 2')
    const first = await give(agent)
    const work = (slot: string) => path.join(fleet.data, 'agents', agent, 'slots', slot, 'work')
    await expect.poll(() => existsSync(path.join(work('1'), 'begun'))).toBe(true)
    const old = fleet.hostOf(agent)
    await upgrade()
    const second = await give(agent)
    const shown = async () => (await fleet.api.GET('/api/v1/fleet', { params: { query: { agents: agent } } })).data?.items[0]
    await expect.poll(async () => (await shown())?.problem).toMatch(/^Its host process belongs to another version of Paddock/)
    expect([(await job(first)).state, (await job(second)).state]).toEqual(['running', 'queued'])
    writeFileSync(path.join(work('1'), 'go'), '')
    await expect.poll(async () => (await job(first)).state).toBe('done')
    await expect.poll(() => existsSync(path.join(work('1'), 'begun'))).toBe(true)
    for (const slot of ['1', '2']) if (existsSync(work(slot))) writeFileSync(path.join(work(slot), 'go'), '')
    await expect.poll(async () => (await job(second)).state).toBe('done')
    expect(fleet.hostOf(agent)).not.toBe(old)
  })

  test('a terminal of another version stays open, and jobs start when it has ended', async () => {
    await downgrade()
    const agent = await create('used', 'cat')
    const opened = await fleet.api.POST('/api/v1/agents/{agent}/sessions', {
      params: { path: { agent } },
      body: { command: ['sleep', '600'] } as never,
    })
    expect(opened.error).toBeUndefined()
    await upgrade()
    const next = await give(agent)
    const shown = async () => (await fleet.api.GET('/api/v1/fleet', { params: { query: { agents: agent } } })).data?.items[0]
    await expect.poll(async () => (await shown())?.problem).toMatch(/^Its host process belongs to another version of Paddock/)
    expect((await job(next)).state).toBe('queued')
    const session = opened.data?.id ?? ''
    await fleet.api.DELETE('/api/v1/sessions/{session}', { params: { path: { session } } })
    await expect.poll(async () => (await job(next)).state, { timeout: 90_000 }).toBe('done')
  })
})
