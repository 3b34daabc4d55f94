import { mkdirSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
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
})
