import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { apiClient } from '../../src/client/client.ts'
import { everyone, paddock } from '../support/cli.ts'
import { startFleet } from '../support/fleet-server.ts'

describe.each(everyone)('a backup of a fleet, as %s', (who) => {
  test('holds agents, jobs and workspaces of a server that runs, and its jobs go on as their manifests say', async () => {
    await using fleet = await startFleet(who)
    const { api, stage, data } = fleet
    const command = ['sh', '-c', 'read -r s; echo "$s" >> seen.txt; [ "$s" = stay ] && sleep 60; true']
    await api.POST('/api/v1/agents', { body: { manifest: { name: 'echo', agent: 'command', command, egress: { policy: 'off' } } } })
    const give = async (prompt: string) => (await api.POST('/api/v1/jobs', { body: { agent: 'echo', labels: [], prompt } })).data?.id ?? ''
    const job = async (id: string) => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data
    const reaches = async (id: string, state: string) => {
      while ((await job(id))?.state !== state) await setTimeout(50)
    }
    const done = await give('one')
    await reaches(done, 'done')
    // A large sparse file does not fill the archive.
    const { agentId: maker } = (await job(done)) ?? {}
    writeFileSync(path.join(data, 'agents', maker ?? '', 'slots/1/work/holes'), '')
    truncateSync(path.join(data, 'agents', maker ?? '', 'slots/1/work/holes'), 20 * 1024 ** 3)
    stage.own()
    const stays = await give('stay')
    await reaches(stays, 'running')
    const { agentId } = (await job(stays)) ?? {}
    const seen = path.join(data, 'agents', agentId ?? '', 'slots/1/work/seen.txt')
    while (!readFileSync(seen, 'utf8').includes('stay')) await setTimeout(50)

    const file = path.join(stage.root, 'home', 'fleet.tar')
    const run = (...args: string[]) => paddock(stage, ['fleet', ...args, '--data', data])
    const made = await run('backup', file)
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/fleet\.tar has 1 agent and 2 jobs \(.*\)\./)])
    expect([statSync(file).mode & 0o777, statSync(file).size < 1024 ** 3]).toEqual([0o600, true])
    expect(await run('backup', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
    expect(await run('restore', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })

    await fleet.kill('SIGKILL')
    for (const pid of fleet.hosts()) process.kill(pid, 'SIGKILL')
    renameSync(data, `${data}.gone`)
    mkdirSync(data)
    stage.own()
    const none = path.join(stage.root, 'home', 'none.tar')
    writeFileSync(none, 'not an archive')
    expect(await run('restore', none)).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a backup of a fleet') })
    const restored = await run('restore', file)
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('is restored, with 1 agent and 2 jobs')])
    await fleet.start()
    expect(await job(done)).toMatchObject({ state: 'done', prompt: 'one' })
    await reaches(stays, 'interrupted')
    expect(readFileSync(seen, 'utf8')).toBe('one\nstay\n')
    const next = (await fleet.api.POST('/api/v1/jobs', { body: { agent: 'echo', labels: [], prompt: 'two' } })).data?.id ?? ''
    await reaches(next, 'done')
    expect(readFileSync(seen, 'utf8')).toBe('one\nstay\ntwo\n')
  })

  test('works on another machine, with every file of an agent that worked, also those that it closed', async () => {
    await using here = await startFleet(who)
    const script = [
      'read -r s; [ "$s" = go ] && exec sh -c "cat src/host/page.ts > seen.txt"',
      'mkdir -p src/host shut; echo page > src/host/page.ts; echo in > shut/in; echo closed > closed',
      'chmod 0 closed shut; echo > ready; sleep 60',
    ].join('; ')
    const manifest = { name: 'maker', agent: 'command', command: ['sh', '-c', script], egress: { policy: 'off' as const } }
    await here.api.POST('/api/v1/agents', { body: { manifest } })
    const first = (await here.api.POST('/api/v1/jobs', { body: { agent: 'maker', labels: [], prompt: 'stay' } })).data?.agentId ?? ''
    const work = path.join('agents', first, 'slots/1/work')
    while (!existsSync(path.join(here.data, work, 'ready'))) await setTimeout(50)
    const file = path.join(here.stage.root, 'home', 'fleet.tar')
    const made = await paddock(here.stage, ['fleet', 'backup', file, '--data', here.data])
    expect([made.code, made.stderr]).toEqual([0, ''])
    const modes = (root: string) => ['closed', 'shut'].map((each) => statSync(path.join(root, work, each)).mode & 0o777)
    expect(modes(here.data)).toEqual([0, 0])

    await using there = await startFleet(who)
    await there.kill('SIGTERM')
    rmSync(there.data, { recursive: true })
    const copy = path.join(there.stage.root, 'home', 'fleet.tar')
    copyFileSync(file, copy)
    there.stage.own()
    const restored = await paddock(there.stage, ['fleet', 'restore', copy, '--data', there.data])
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect(modes(there.data)).toEqual([0, 0])
    for (const each of ['closed', 'shut']) chmodSync(path.join(there.data, work, each), 0o700)
    expect(readFileSync(path.join(there.data, work, 'closed'), 'utf8')).toBe('closed\n')
    expect(readFileSync(path.join(there.data, work, 'shut/in'), 'utf8')).toBe('in\n')
    await there.start()
    const login = await there.token('owner')
    const api = apiClient(there.url, (request) => fetch(request), login)
    const { id = '' } = (await api.POST('/api/v1/jobs', { body: { agent: 'maker', labels: [], prompt: 'go' } })).data ?? {}
    const job = async () => (await api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data
    while (!['done', 'failed'].includes((await job())?.state ?? '')) await setTimeout(50)
    expect((await job())?.result?.outcome).toMatchObject({ kind: 'ran', exitCode: 0 })
    expect(readFileSync(path.join(there.data, work, 'seen.txt'), 'utf8')).toBe('page\n')
  })
})
