import { createHmac } from 'node:crypto'
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
import { apiClient } from '../../../src/client/api-client.ts'
import { openDatabase } from '../../../src/fleet/store/database.ts'
import { everyone, paddock } from '../../support/cli.ts'
import { startFleet } from '../../support/fleet-server.ts'

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
    expect(restored.stdout).toContain(`The path was ${here.data}. Virtual environments and conversations that contain it do not work here.`)
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

  test('is paused when it is restored, until its owner resumes it', async () => {
    await using fleet = await startFleet(who)
    const { stage, data } = fleet
    const command = ['sh', '-c', 'read -r s; [ "$s" = stay ] && echo > stays && sleep 60; true']
    await fleet.api.POST('/api/v1/agents', { body: { manifest: { name: 'echo', agent: 'command', command, egress: { policy: 'off' } } } })
    const run = (...args: string[]) => paddock(stage, [...args, '--data', data])
    const give = async (prompt: string) =>
      (await fleet.api.POST('/api/v1/jobs', { body: { agent: 'echo', labels: [], prompt } })).data?.id ?? ''
    const job = async (id: string) => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data
    const reaches = async (id: string, state: string) => {
      while ((await job(id))?.state !== state) await setTimeout(50)
    }
    const schedule = async () => JSON.parse((await run('schedule', 'show', 'often', '--json')).stdout) as Record<string, unknown>
    const outcomes = async () =>
      JSON.parse((await run('webhook', 'show', 'chat', '--json')).stdout).outcomes as { readonly event: number }[]
    await run('schedule', 'create', 'often', '--agent', 'echo', '--cron', '0 0 1 1 *', '--zone', 'UTC', '--prompt', 'look')
    await run('webhook', 'add', 'chat', 'https://receiver.invalid/', '--event', 'job.ended')
    const made = JSON.parse((await run('hook', 'create', 'issues', '--agent', 'echo', '--prompt', 'Sort.', '--json')).stdout)
    const deliver = async () => {
      const time = String(Math.floor(Date.now() / 1000))
      const signature = createHmac('sha256', made.secret).update(`${time}.`).digest('hex')
      const headers = { 'x-paddock-time': time, 'x-paddock-signature': signature }
      return fetch(`${fleet.url}${made.path}`, { method: 'POST', headers })
    }
    const stays = await give('stay')
    const { agentId } = (await job(stays)) ?? {}
    while (!existsSync(path.join(data, 'agents', agentId ?? '', 'slots/1/work/stays'))) await setTimeout(50)
    const queued = await give('wait')
    const file = path.join(stage.root, 'home', 'fleet.tar')
    expect((await run('fleet', 'backup', file)).code).toBe(0)

    /** Restores the backup with a schedule whose time has passed. */
    const restore = async (...options: string[]) => {
      await fleet.kill('SIGKILL')
      for (const pid of fleet.hosts()) process.kill(pid, 'SIGKILL')
      rmSync(data, { recursive: true })
      const restored = await run('fleet', 'restore', file, ...options)
      using database = openDatabase(path.join(data, 'fleet.db'), data)
      database.sql('UPDATE schedules SET due_at = 1').run()
      stage.own()
      return restored.stdout
    }
    const idOf = (kind: string): number => {
      using database = openDatabase(path.join(data, 'fleet.db'), data)
      return Number(database.sql('SELECT max(id) AS id FROM events WHERE kind = ?').get(kind)?.['id'])
    }
    const server = async () => (await fleet.api.GET('/api/v1/server')).data?.paused
    const line = 'paused, because the original fleet may still run. To end the pause: paddock fleet resume --data'
    expect(await restore('--paused')).toContain(`Schedules, webhooks, hooks, Discord and queued jobs are ${line} ${data}\n`)
    await fleet.start()
    expect(fleet.printed()).toContain(`queued jobs are ${line}`)
    expect((await run('inbox')).stderr).toContain(line)
    expect(await server()).toMatchObject({ jobs: true })
    while ((await schedule())['problem'] === null) await setTimeout(50)
    expect(await schedule()).toMatchObject({ lastJob: null, problem: 'The fleet is paused. To end the pause: paddock fleet resume' })
    const refused = await deliver()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '300'])
    await reaches(stays, 'interrupted')
    const given = await give('new')
    expect((await fleet.api.GET('/api/v1/agents/{agent}', { params: { path: { agent: 'echo' } } })).data).toMatchObject({
      ...{ queued: 2, problem: 'The fleet is paused. To end the pause: paddock fleet resume' },
    })
    const operator = apiClient(fleet.url, (request) => fetch(request), await fleet.token('operator'))
    expect((await operator.POST('/api/v1/resume')).response.status).toBe(403)
    expect([(await job(queued))?.state, (await job(given))?.state, await outcomes()]).toEqual(['queued', 'queued', []])
    expect((await run('fleet', 'resume')).stdout).toBe('The pause has ended for schedules, webhooks, hooks, Discord and queued jobs.\n')
    expect((await run('fleet', 'resume')).stdout).toBe('The fleet is not paused.\n')
    expect(await server()).toBeNull()
    await reaches(queued, 'done')
    await reaches(given, 'done')
    expect((await deliver()).status).toBe(202)
    expect(await schedule()).toMatchObject({ lastJob: null })
    // The end of the interrupted job was an event of the pause.
    while ((await outcomes()).length === 0) await setTimeout(50)
    expect((await outcomes()).every(({ event }) => event > idOf('fleet.resumed'))).toBe(true)

    // Without --paused, the job in the queue starts. Without a server, the pause ends in the data.
    expect(await restore()).toContain(`Schedules, webhooks, hooks and Discord are ${line}`)
    await fleet.start()
    await reaches(queued, 'done')
    expect([(await deliver()).status, await server()]).toMatchObject([503, { jobs: false }])
    expect(await outcomes()).toEqual([])
    await restore()
    expect((await run('fleet', 'resume')).stdout).toBe('The pause has ended for schedules, webhooks, hooks and Discord.\n')
    await fleet.start()
    expect(await server()).toBeNull()
    expect(await schedule()).toMatchObject({ lastJob: null, problem: expect.stringContaining('The fleet is paused.') })
  })
})
