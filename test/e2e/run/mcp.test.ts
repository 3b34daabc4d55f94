import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock, type Stage } from '../../support/cli.ts'
import { startFleet } from '../../support/fleet-server.ts'
import { type McpClient, mcpClient } from '../../support/mcp.ts'

/** Writes a contest whose participant waits until the test creates a file, then writes its answer. */
function putContest(stage: Stage, name: string, more: Readonly<Record<string, unknown>> = {}): void {
  const command = ['sh', '-c', 'until [ -e /agent/go ]; do sleep 0.05; done; echo done > answer.txt']
  const contest = {
    schemaVersion: 1,
    name: 'trial',
    participants: [{ name: 'one', agent: 'command', command, files: 'agent', ...more }],
    timeouts: { participant: '120s' },
    checks: [{ name: 'there', command: 'test -f /submission/answer.txt' }],
  }
  stage.put(`${name}/contest.yaml`, JSON.stringify(contest))
  stage.put(`${name}/BRIEF.md`, 'Write answer.txt.\n')
  mkdirSync(path.join(stage.project, name, 'agent'), { recursive: true })
}

/** Returns the event types up to one of that type, and the cursor after it. */
async function eventsUntil(mcp: McpClient, contest: string, type: string, after = 0): Promise<{ types: string[]; cursor: number }> {
  const types: string[] = []
  for (let cursor = after; ; ) {
    const { data } = await mcp.call('contest_events', { contest, after: cursor, limit: 1, waitSeconds: 30 })
    types.push(...data.events.map((each: { type: string }) => each.type))
    cursor = data.cursor
    if (types.includes(type)) return { types, cursor }
    if (!data.running && data.events.length === 0) throw new Error(`no ${type} among ${types.join(', ')}`)
  }
}

describe.each(everyone)('paddock mcp, as %s', (who) => {
  test('a contest is started, goes on after its server was killed, and is watched and read by another', async () => {
    using stage = makeStage(who)
    putContest(stage, 'contests/first')
    stage.own()
    const mcp = await mcpClient(stage, ['--root', stage.project])
    expect((await mcp.call('list_contests')).data).toEqual({ contests: ['contests/first'] })
    const contest = 'contests/first'
    expect((await mcp.call('start_contest', { contest })).data).toMatchObject({ contest, state: 'running' })
    const { cursor } = await eventsUntil(mcp, contest, 'started')
    expect((await mcp.call('start_contest', { contest })).data).toMatchObject({ code: 'CONFLICT' })
    await mcp.kill()

    const later = await mcpClient(stage, ['--root', stage.project])
    expect((await later.call('contest_status', { contest })).data).toMatchObject({
      running: true,
      status: { participants: { one: { state: 'running' } } },
    })
    stage.put('contests/first/agent/go', '')
    expect((await eventsUntil(later, contest, 'reported', cursor)).types).toEqual(
      expect.arrayContaining(['ended', 'sealed', 'checked', 'reported']),
    )
    const { data } = await later.call('contest_report', { contest })
    expect(data.summary.ranking).toMatchObject([{ name: 'one', checks: { passed: 1 } }])
    expect(existsSync(data.files.html)).toBe(true)
  })

  test('a contest that is cancelled ends its cells, keeps what is done, and continues from there', async () => {
    using stage = makeStage(who)
    putContest(stage, 'first')
    stage.own()
    const mcp = await mcpClient(stage, ['--root', stage.project])
    const contest = 'first'
    expect((await mcp.call('cancel_contest', { contest })).data).toMatchObject({ code: 'CONFLICT' })
    await mcp.call('start_contest', { contest })
    await eventsUntil(mcp, contest, 'started')
    expect((await mcp.call('cancel_contest', { contest })).isError).toBe(false)
    let after = 0
    for (let running = true; running; ) {
      const { data } = await mcp.call('contest_events', { contest, after, waitSeconds: 30 })
      ;[running, after] = [data.running, data.cursor]
    }
    expect((await mcp.call('contest_status', { contest })).data).toMatchObject({
      running: false,
      problem: expect.stringContaining('The contest was stopped'),
      status: { participants: { one: { outcome: { kind: 'cancelled' } } } },
    })
    stage.put('first/agent/go', '')
    await mcp.call('start_contest', { contest })
    await eventsUntil(mcp, contest, 'reported', after)
  })

  test('no argument reaches around the root, an agreement of the user, or what contest.yaml says', async () => {
    using stage = makeStage(who)
    putContest(stage, 'root/asks', { env: ['LANG'] })
    putContest(stage, 'outside')
    symlinkSync('../outside', path.join(stage.project, 'root/link'))
    symlinkSync('../../outside/contest.yaml', path.join(stage.project, 'root/asks/other.yaml'))
    stage.own()
    const mcp = await mcpClient(stage, ['--root', 'root'])
    expect((await mcp.call('list_contests')).data).toEqual({ contests: ['asks'] })
    for (const contest of ['link', '../outside', path.join(stage.project, 'outside'), '/', 'no-such', 'link/../../outside', '~'])
      for (const tool of ['start_contest', 'contest_status', 'contest_events', 'contest_report', 'cancel_contest'])
        expect(await mcp.call(tool, { contest })).toMatchObject({ isError: true, data: { code: 'NOT_ALLOWED' } })
    const untrusted = await mcp.call('start_contest', { contest: 'asks' })
    expect(untrusted).toMatchObject({
      isError: true,
      data: { code: 'NOT_ALLOWED', hint: expect.stringContaining('paddock contest trust') },
    })
    expect(existsSync(path.join(stage.project, 'root/asks/status.json'))).toBe(false)
    for (const more of [{ egress: 'open' }, { parallel: 9 }, { env: ['HOME'] }, { directory: '/' }])
      expect(await mcp.call('start_contest', { contest: 'asks', ...more })).toMatchObject({ isError: true })

    expect((await paddock(stage, ['contest', 'trust', 'root/asks'])).code).toBe(0)
    expect((await mcp.call('start_contest', { contest: 'asks' })).isError).toBe(false)
    stage.put('root/asks/agent/go', '')
    await eventsUntil(mcp, 'asks', 'reported')
  })

  test('a suite is started, goes on after its server was killed, is watched and cancelled by another, and continues', async () => {
    using stage = makeStage(who)
    const command = ['sh', '-c', 'until [ -e /agent/go ]; do sleep 0.05; done; echo done > answer.txt']
    const suite = {
      schemaVersion: 1,
      name: 'trial',
      briefs: ['briefs/*'],
      contest: {
        participants: [{ name: 'one', agent: 'command', command, files: 'agent' }],
        checks: [{ name: 'there', command: 'test -f /submission/answer.txt' }],
      },
    }
    stage.put('all/first/suite.yaml', JSON.stringify(suite))
    for (const each of ['a', 'b']) stage.put(`all/first/briefs/${each}/BRIEF.md`, 'Write answer.txt.\n')
    mkdirSync(path.join(stage.project, 'all/first/agent'))
    stage.put('outside/suite.yaml', JSON.stringify(suite))
    symlinkSync('../outside', path.join(stage.project, 'all/link'))
    stage.own()
    const mcp = await mcpClient(stage, ['--root', 'all'])
    expect((await mcp.call('list_suites')).data).toEqual({ suites: ['first'] })
    for (const tool of ['start_suite', 'suite_status', 'suite_report', 'cancel_suite'])
      expect(await mcp.call(tool, { suite: 'link' })).toMatchObject({
        isError: true,
        data: { code: 'NOT_ALLOWED', hint: expect.stringContaining('list_suites') },
      })
    expect(await mcp.call('suite_report', { suite: 'first' })).toMatchObject({ isError: true, data: { code: 'NOT_FOUND' } })
    expect((await mcp.call('start_suite', { suite: 'first' })).data).toMatchObject({ suite: 'first', state: 'running' })
    expect((await mcp.call('start_suite', { suite: 'first' })).data).toMatchObject({ code: 'CONFLICT' })
    await mcp.kill()

    const later = await mcpClient(stage, ['--root', 'all'])
    const status = async () => (await later.call('suite_status', { suite: 'first' })).data
    await expect.poll(async () => (await status()).contests[0], { timeout: 60_000 }).toMatchObject({ run: 'a/1', atWork: true })
    expect((await later.call('cancel_suite', { suite: 'first' })).isError).toBe(false)
    await expect.poll(async () => (await status()).running, { timeout: 60_000 }).toBe(false)
    expect(await status()).toMatchObject({ suite: 'first', problem: expect.stringContaining('The suite was stopped') })
    for (const each of ['runs/a/1/suite/agent', 'runs/b/1/suite/agent']) stage.put(`all/first/${each}/go`, '')
    await later.call('start_suite', { suite: 'first' })
    await expect.poll(async () => (await status()).running, { timeout: 60_000 }).toBe(false)
    expect((await status()).contests).toMatchObject([{ state: 'complete' }, { state: 'complete' }])
    const { data } = await later.call('suite_report', { suite: 'first' })
    expect(data.summary.ranking).toMatchObject([{ name: 'one', completion: { hits: 2, of: 2 } }])
  })

  test('a root that is not there is refused before anything is served', async () => {
    using stage = makeStage(who)
    const { code, stderr, stdout } = await paddock(stage, ['mcp', '--root', 'nowhere'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--root nowhere cannot be read (ENOENT).')
  })

  test('agents of a running fleet are listed, get a job, and are watched, only where --fleet was given', async () => {
    await using fleet = await startFleet(who)
    const { stage } = fleet
    await fleet.api.POST('/api/v1/agents', {
      body: { yaml: `{name: echo, agent: command, command: [sh, -c, 'cat; echo; echo over'], egress: {policy: off}}` },
    })
    const without = await mcpClient(stage, ['--root', stage.project])
    expect(await without.tools()).not.toContain('list_agents')
    const mcp = await mcpClient(stage, ['--root', stage.project, '--fleet', '--data', fleet.data])
    expect((await mcp.call('list_agents')).data).toMatchObject({ agents: [{ name: 'echo', runs: 'command' }] })
    const { data: given } = await mcp.call('start_job', { agent: 'echo', prompt: 'Say this.' })
    const texts: string[] = []
    for (let [after, ended] = [0, false]; !ended; ) {
      const { data } = await mcp.call('job_events', { job: given.job.id, after, limit: 1, waitSeconds: 30 })
      texts.push(...data.events.map(({ text }: { text: string }) => text))
      ;[after, ended] = [data.after, data.ended]
    }
    expect(texts.join('\n')).toContain('Say this.\nover')
    expect((await mcp.call('job_status', { job: given.job.id })).data).toMatchObject({ job: { state: 'done' } })
    expect((await mcp.call('cancel_job', { job: given.job.id })).isError).toBe(true)
    expect((await mcp.call('start_job', { agent: 'nobody', prompt: 'x' })).data).toMatchObject({ code: expect.any(String) })
  })
})
