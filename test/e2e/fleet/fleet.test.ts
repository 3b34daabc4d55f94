import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { components } from '../../../src/client/api.ts'
import { serverEvents } from '../../../src/client/server-events.ts'
import { agentData } from '../../../src/fleet/data-directory.ts'
import { everyone, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

type Job = components['schemas']['WholeJob']

/** Prints a word, then waits for the seconds in its prompt, or with `until` for a file in its workspace. */
const worker = (name: string, more = '') =>
  `{name: ${name}, agent: command, command: [sh, -c, 'read -r s; echo begun; if [ "$s" = until ]; then until [ -e go ]; do sleep 0.1; done; else sleep "$s"; fi; echo over'], egress: {policy: off}${more}}`

describe.each(everyone)('a fleet, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  const create = async (yaml: string) => fleet.api.POST('/api/v1/agents', { body: { yaml } })
  const give = async (
    body: { agent?: string; prompt: string; labels?: string[]; budget?: { usd?: number; time?: string } },
    headers: Record<string, string> = {},
  ) => fleet.api.POST('/api/v1/jobs', { body: { labels: [], ...body }, headers })
  const job = async (id: string): Promise<Job> => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data as Job
  /** Follows the transcript of a job to its end. */
  const followed = async (id: string, after = 0): Promise<readonly { n: number; text?: string }[]> => {
    const { data } = await fleet.api.GET('/api/v1/jobs/{job}/events', {
      params: { path: { job: id }, query: { after: String(after) } },
      parseAs: 'stream',
    })
    const events: { n: number; text?: string }[] = []
    for await (const { event, data: text } of serverEvents(data as ReadableStream<Uint8Array>))
      if (event === 'message') events.push(JSON.parse(text) as { n: number })
    return events
  }
  test('jobs are refused while their agent is archived, and none stays in its queue', async () => {
    const made = await create('{name: shelf, agent: command, command: [sh, -c, \'trap "" TERM; sleep 3\'], egress: {policy: off}}')
    // Its name is free from now on, so the id names it.
    const agent = made.data?.id ?? ''
    const first = await give({ agent, prompt: 'x' })
    const archiving = fleet.api.POST('/api/v1/agents/{agent}/archive', { params: { path: { agent } } })
    const given = [first]
    for (let at = 0; at < 20; at++) given.push(await give({ agent, prompt: String(at) }))
    await archiving
    expect(new Set(given.map(({ response }) => response.status))).toEqual(new Set([202, 409]))
    for (const { data } of given) if (data !== undefined) expect((await job(data.id)).endedAt).not.toBeNull()
    const started = await fleet.api.POST('/api/v1/agents/{agent}/start', { params: { path: { agent } } })
    expect([started.response.status, started.error?.detail]).toEqual([409, 'shelf is archived.'])
  })

  test('job show says why a job failed', async () => {
    await create('{name: gone, agent: command, command: [/nowhere/program], egress: {policy: off}}')
    const { data } = await give({ agent: 'gone', prompt: 'x' })
    const waited = await paddock(fleet.stage, ['job', 'wait', data?.id ?? '', '--data', fleet.data])
    expect(waited.stderr).toMatch(/is failed: .+/)
    const shown = await paddock(fleet.stage, ['job', 'show', data?.id ?? '', '--data', fleet.data])
    expect(shown.stdout).toMatch(/^reason {4}\S.+/m)
  })

  const begun = async (id: string): Promise<void> => {
    while ((await followedOnce(id)) < 1) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const followedOnce = async (id: string): Promise<number> => {
    const { agentId } = await job(id)
    const file = path.join(fleet.data, 'agents', agentId ?? '', 'jobs', id, 'transcript.jsonl')
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  }

  test('a job ends with its budget, and the queue waits for the rest of the day until the budget is another', async () => {
    await create(worker('short', ', budgets: {job: {time: 500ms}}'))
    const short = (await give({ agent: 'short', prompt: '600' })).data?.id ?? ''
    expect((await followed(short))[0]?.text).toBe('begun')
    expect(await job(short)).toMatchObject({
      state: 'failed',
      result: {
        outcome: { kind: 'out-of-budget', message: expect.stringMatching(/^the budget of the job \(.* of 500 ms\) is used up$/) },
        notes: [expect.stringMatching(/^The budget of the job \(.* of 500 ms\) is .*used up\.$/)],
      },
    })
    const { data: events } = await fleet.api.GET('/api/v1/events', { params: { query: { after: '0' } }, parseAs: 'stream' })
    for await (const { event, data: text } of serverEvents(events as ReadableStream<Uint8Array>))
      if (event === 'message' && text.includes('"job.budget"') && text.includes(short)) break

    const daily = (budget: string) => worker('daily', `, budgets: {day: {time: ${budget}}}`)
    const created = await create(daily('50ms'))
    const first = (await give({ agent: 'daily', prompt: '600' })).data?.id ?? ''
    await followed(first)
    const second = (await give({ agent: 'daily', prompt: '0' })).data?.id ?? ''
    const params = { path: { agent: 'daily' } }
    for (let now = (await fleet.api.GET('/api/v1/agents/{agent}', { params })).data; now?.problem == null; ) {
      now = (await fleet.api.GET('/api/v1/agents/{agent}', { params })).data
    }
    const { data } = await fleet.api.GET('/api/v1/agents/{agent}', { params })
    expect(data).toMatchObject({
      state: 'idle',
      queued: 1,
      problem: expect.stringMatching(/^the budget of the agent for the day \(.*\) is used up until 20\d\d-\d\d-\d\dT00:00:00\.000Z$/),
    })
    await fleet.api.PUT('/api/v1/agents/{agent}', {
      params: { path: { agent: created.data?.id ?? '' }, header: { 'if-match': `"${created.data?.version}"` } },
      body: { yaml: daily('1h') },
    })
    await followed(second)
    expect((await job(second)).state).toBe('done')
    expect((await fleet.api.GET('/api/v1/agents/{agent}', { params })).data?.problem).toBeNull()
  })

  test('a job ends with the budget that was given with it, and one that cannot be held is refused', async () => {
    await create(worker('bounded', ', labels: [bounded]'))
    const first = (await give({ agent: 'bounded', prompt: '600', budget: { time: '500ms' } })).data?.id ?? ''
    await followed(first)
    expect(await job(first)).toMatchObject({
      state: 'failed',
      budget: { time: '500ms' },
      result: {
        outcome: { kind: 'out-of-budget', message: expect.stringMatching(/^the budget given with the job \(.* of 500 ms\) is used up$/) },
      },
    })
    const cli = ['job', 'run', 'bounded', '--data', fleet.data, '--prompt', '600']
    const run = await paddock(fleet.stage, [...cli, '--budget', '500ms'])
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('the budget given with the job')])
    const shown = await paddock(fleet.stage, ['job', 'show', first, '--data', fleet.data])
    expect(shown.stdout).toContain('budget    500ms\n')
    const refused = async (body: Parameters<typeof give>[0]) => {
      const { response, error } = await give(body)
      return [response.status, (error as { code?: string }).code, (error as { detail?: string }).detail]
    }
    expect(await refused({ agent: 'bounded', prompt: '0', budget: { usd: 1 } })).toEqual([
      422,
      'UNENFORCEABLE',
      'body.budget cannot be held: command does not report what it uses.',
    ])
    expect(await refused({ labels: ['bounded'], prompt: '0', budget: { usd: 1 } })).toEqual([
      422,
      'UNENFORCEABLE',
      'body.budget cannot be held: command does not report what it uses.',
    ])
    expect(await refused({ agent: 'bounded', prompt: '0', budget: {} })).toEqual([
      400,
      'BAD_INPUT',
      expect.stringContaining('must have turns, tokens, usd or time'),
    ])
    expect((await refused({ agent: 'bounded', prompt: '0', budget: { usd: -1 } })).slice(0, 2)).toEqual([400, 'BAD_INPUT'])
    // No agent matches when the job is given, and the one that takes it later cannot enforce the budget.
    const later = await give({ labels: ['later'], prompt: '0', budget: { usd: 1 } })
    await create(worker('late', ', labels: [later]'))
    await followed(later.data?.id ?? '')
    expect(await job(later.data?.id ?? '')).toMatchObject({
      state: 'failed',
      result: { outcome: { kind: 'start-failed', message: expect.stringContaining('The budget given with the job cannot be held') } },
    })
    const wrong = await paddock(fleet.stage, [...cli, '--budget', '5eur'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--budget 5eur is not an amount.')])
  })

  test('a manifest of one line is an agent, and its job has a transcript, a result and the files that it changed', async () => {
    const created = await fleet.api.POST('/api/v1/agents', {
      body: { manifest: { name: 'echo', agent: 'command', command: ['sh', '-c', 'cat > seen.txt'] } },
    })
    expect([created.response.status, created.data?.state]).toEqual([201, 'idle'])
    const given = await give({ agent: 'echo', prompt: 'do it' })
    expect([given.response.status, given.data?.state]).toEqual([202, 'queued'])
    const id = given.data?.id ?? ''
    await followed(id)
    expect(await job(id)).toMatchObject({
      state: 'done',
      prompt: 'do it',
      result: { outcome: { kind: 'ran' }, changes: { created: ['seen.txt'] } },
    })
    const list = await fleet.api.GET('/api/v1/jobs', { params: { query: { limit: 1 } } })
    expect(list.data?.items.map((each) => each.id)).toEqual([id])
    const piped = await paddock(fleet.stage, ['job', 'run', 'echo', '--data', fleet.data, '--prompt-file', '-', '--detach'], {
      input: 'piped',
    })
    const pipedId = /j-[0-9a-z]+/.exec(piped.stdout)?.[0] ?? ''
    expect((await job(pipedId)).prompt).toBe('piped')
    await followed(pipedId)
    // Files in the workspace are kept for the next job.
    const work = path.join(fleet.data, 'agents', created.data?.id ?? '', 'slots/1/work')
    expect(readdirSync(work)).toEqual(['seen.txt'])
  })

  test('invalid manifests, names, versions, prompts and keys are refused with the reason', async () => {
    const refused = async (yaml: string) => {
      const { response, error } = await create(yaml)
      return [response.status, (error as { code?: string }).code, (error as { detail?: string }).detail]
    }
    expect(await refused('{name: x, agent: cladue}')).toEqual([400, 'BAD_INPUT', expect.stringContaining('did you mean claude?')])
    expect(await refused('{name: x, agent: command}')).toEqual([400, 'BAD_INPUT', expect.stringContaining('command is missing')])
    expect(await refused('{name: X/.., agent: claude}')).toEqual([400, 'BAD_INPUT', expect.stringContaining('name must have')])
    expect(await refused(worker('x', ', workspace: {project: /}'))).toEqual([403, 'NOT_ALLOWED', expect.stringContaining('fleet.projects')])
    expect(await refused(worker('x', ', secrets: ["KEY=env:HOME@evil.example"]'))).toEqual([
      400,
      'BAD_INPUT',
      expect.stringContaining('environment of the server'),
    ])
    expect(await refused(worker('x', ', env: [HOME]'))).toEqual([400, 'BAD_INPUT', expect.stringContaining('NAME=VALUE')])
    expect(await refused('{name: x, agent: grok}')).toEqual([422, 'AGENT_NOT_INSTALLED', expect.stringContaining('grok is not installed')])
    expect(await refused(worker('echo'))).toEqual([409, 'CONFLICT', 'There is an agent named echo already.'])
    const edit = (headers: Record<string, string>) =>
      fleet.api.PUT('/api/v1/agents/{agent}', { params: { path: { agent: 'echo' } }, headers, body: { yaml: worker('echo') } })
    expect((await edit({})).response.status).toBe(428)
    expect((await edit({ 'if-match': '"7"' })).response.status).toBe(412)
    const edited = await edit({ 'if-match': '"1"' })
    expect([edited.response.status, edited.data?.version, edited.response.headers.get('etag')]).toEqual([200, 2, '"2"'])
    expect((await give({ agent: 'nobody', prompt: 'x' })).response.status).toBe(404)
    expect((await give({ agent: 'echo', prompt: 'x'.repeat(256 * 1024 + 1) })).response.status).toBe(413)
    const keyed = await give({ agent: 'echo', prompt: '0' }, { 'idempotency-key': 'k' })
    expect((await give({ agent: 'echo', prompt: '0' }, { 'idempotency-key': 'k' })).data?.id).toBe(keyed.data?.id)
    expect((await give({ agent: 'echo', prompt: '1' }, { 'idempotency-key': 'k' })).response.status).toBe(409)
    await followed(keyed.data?.id ?? '')
  })

  test('a job for any agent goes to one with its labels, and a stopped agent keeps its queue', async () => {
    await create(worker('docs', ', labels: [docs, fast]'))
    const any = await give({ labels: ['docs'], prompt: '0' })
    await followed(any.data?.id ?? '')
    expect(await job(any.data?.id ?? '')).toMatchObject({ agent: 'docs', state: 'done' })
    const at = { params: { path: { agent: 'docs' } } }
    await fleet.api.POST('/api/v1/agents/{agent}/stop', at)
    const kept = await give({ agent: 'docs', prompt: '0' })
    expect((await fleet.api.GET('/api/v1/agents/{agent}', at)).data).toMatchObject({ state: 'stopped', queued: 1, running: 0 })
    await fleet.api.POST('/api/v1/agents/{agent}/start', at)
    expect((await followed(kept.data?.id ?? '')).map((each) => each.text)).toContain('over')
  })

  test('a job is cancelled while it is queued and while it runs, and then its cell is gone', async () => {
    await create(worker('slow'))
    const [one, two] = [
      (await give({ agent: 'slow', prompt: '60' })).data?.id ?? '',
      (await give({ agent: 'slow', prompt: '60' })).data?.id ?? '',
    ]
    await begun(one)
    const cancel = async (id: string) => fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: id } } })
    expect((await cancel(two)).data?.state).toBe('cancelled')
    expect((await cancel(one)).data).toMatchObject({ state: 'running', cancelAsked: true })
    expect((await followed(one)).map((each) => each.text)).not.toContain('over')
    expect(await job(one)).toMatchObject({ state: 'cancelled', result: { outcome: { kind: 'cancelled' } } })
    expect((await cancel(one)).response.status).toBe(409)
  })

  test('a job that runs goes on while the server is killed and replaced, and its events have no gap', async () => {
    const id = (await give({ agent: 'slow', prompt: 'until' })).data?.id ?? ''
    await begun(id)
    await fleet.replace()
    const { agentId, state } = await job(id)
    expect(state).toBe('running')
    writeFileSync(path.join(agentData(path.join(fleet.data, 'agents', agentId ?? '')).slot(1).work, 'go'), '')
    const events = await followed(id)
    expect(events.map((each) => each.n)).toEqual(events.map((_, index) => index + 1))
    expect(events.map((each) => each.text)).toContain('over')
    expect(await job(id)).toMatchObject({ state: 'done', attempt: 1 })
  })

  test('a job whose host process is killed is interrupted, or begun again if its manifest says so', async () => {
    const before = new Set(fleet.hosts())
    await create(worker('lost'))
    await create(worker('anew', ', restart: again'))
    const [lost, anew] = [
      (await give({ agent: 'lost', prompt: '60' })).data?.id ?? '',
      (await give({ agent: 'anew', prompt: '1' })).data?.id ?? '',
    ]
    await Promise.all([begun(lost), begun(anew)])
    for (const pid of fleet.hosts()) if (!before.has(pid)) process.kill(pid, 'SIGKILL')
    await Promise.all([followed(lost), followed(anew)])
    expect(await job(lost)).toMatchObject({ state: 'interrupted', result: null, problem: 'Its host process ended before the job did.' })
    const { data } = await fleet.api.GET('/api/v1/jobs', { params: { query: { agent: 'anew' } } })
    const next = data?.items[0]
    expect(next).toMatchObject({ continues: anew, attempt: 2 })
    await followed(next?.id ?? '')
    expect(await job(next?.id ?? '')).toMatchObject({ state: 'done', prompt: '1' })
  })

  test('deleting a working agent ends its job and removes all that was its own', async () => {
    const id = (await give({ agent: 'slow', prompt: '60' })).data?.id ?? ''
    await begun(id)
    const { agentId } = await job(id)
    const removed = await fleet.api.DELETE('/api/v1/agents/{agent}', { params: { path: { agent: 'slow' } } })
    expect(removed.response.status).toBe(204)
    expect(existsSync(path.join(fleet.data, 'agents', agentId ?? ''))).toBe(false)
    expect((await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).response.status).toBe(404)
    const again = await create(worker('slow'))
    expect(again.data?.id).not.toBe(agentId)
  })

  test('a job on a copy of a project leaves it alone until its changes are applied, some or all', async () => {
    const { stage } = fleet
    for (const name of ['one.txt', 'two.txt']) stage.put(name, 'old\n')
    stage.own()
    const script = 'for f in one two; do echo new > $f.txt; done; echo 1 > fresh.txt'
    await create(`{name: copier, agent: command, command: [sh, -c, '${script}'], workspace: {copy: ${stage.project}}}`)
    const id = (await give({ agent: 'copier', prompt: 'x' })).data?.id ?? ''
    await followed(id)
    expect(stage.read('one.txt')).toBe('old\n')
    const at = { path: { job: id } }
    const { data: review } = await fleet.api.GET('/api/v1/jobs/{job}/changes', { params: at })
    expect(review?.changes.map(({ path: file, kind }) => [file, kind]).sort()).toEqual([
      ['fresh.txt', 'added'],
      ['one.txt', 'modified'],
      ['two.txt', 'modified'],
    ])
    const apply = async (body: { paths?: string[] }) =>
      fleet.api.POST('/api/v1/jobs/{job}/apply', { params: at, body: { runLater: false, allowSecrets: false, ...body } })
    const toApply = async () => {
      const { data } = await fleet.api.GET('/api/v1/jobs', { params: { query: { agent: 'copier' } } })
      return data?.items.find((each) => each.id === id)?.result?.toApply
    }
    expect(await toApply()).toBe(3)
    expect((await apply({ paths: ['../one.txt'] })).response.status).toBe(400)
    expect((await apply({ paths: ['one.txt'] })).data).toMatchObject({ written: ['one.txt'], kept: true })
    expect([stage.read('one.txt'), stage.read('two.txt')]).toEqual(['new\n', 'old\n'])
    expect(await toApply()).toBe(2)
    const some = await paddock(stage, ['job', 'show', id, '--data', fleet.data])
    expect(some.stdout).toContain(`2 of its 3 changed files still wait for you: paddock job review ${id}\n`)
    const rest = await paddock(stage, ['job', 'apply', id, '--data', fleet.data])
    expect([rest.code, rest.stdout]).toEqual([0, 'applied  fresh.txt\napplied  two.txt\n'])
    expect(stage.read('two.txt')).toBe('new\n')
    expect(await toApply()).toBe(0)
    expect((await paddock(stage, ['job', 'show', id, '--data', fleet.data])).stdout).not.toContain('job review')
    expect((await fleet.api.POST('/api/v1/jobs/{job}/discard', { params: at })).response.status).toBeGreaterThanOrEqual(400)
  })

  test('no cell sees the data of a fleet, wherever they are, and no cell gets its address', async () => {
    for (const words of [
      ['--ro', fleet.data],
      ['--rw', path.dirname(fleet.data)],
      ['--ro', path.join(fleet.data, 'paddock.sock')],
    ]) {
      const ran = await paddock(fleet.stage, ['run', ...words, '--', 'true'])
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('Paddock')])
    }
    await create(
      `{name: looks, agent: command, command: [sh, -c, 'find / -name "paddock.sock" -o -name "fleet.db" -o -name "host.sock" 2>/dev/null; env']}`,
    )
    const id = (await give({ agent: 'looks', prompt: 'x' })).data?.id ?? ''
    const seen = (await followed(id)).map((each) => each.text ?? '').join('\n')
    expect(seen).toContain('HOME=')
    expect(seen).not.toMatch(/paddock\.sock|fleet\.db|host\.sock|PADDOCK|pdk_/)
  })

  test('the manifest that agent show prints gives the same manifest again', async () => {
    const odd = ['plain', 'tab:\t zero width: \u200d direction: \u202e end', 'ends with empty lines\n\n\n']
    for (const [n, text] of odd.entries()) {
      const name = `again-${n}`
      const manifest = { name, agent: 'command', command: ['printf', text], egress: { policy: 'off' } }
      const { data, error } = await fleet.api.POST('/api/v1/agents', { body: { yaml: JSON.stringify(manifest) } })
      expect(error).toBeUndefined()
      const shown = await paddock(fleet.stage, ['agent', 'show', name, '--yaml', '--data', fleet.data])
      expect(shown.stdout).toBe(shown.stdout.replaceAll(/[^\x20-\x7e\n]/g, ''))
      expect(parse(shown.stdout)).toEqual(data?.manifest)
    }
  })

  test('a second server on the same data is refused, and without one the commands say how to start it', async () => {
    const second = await paddock(fleet.stage, ['serve', '--data', fleet.data, '--listen', '127.0.0.1:0'])
    expect([second.code, second.stderr]).toEqual([125, expect.stringContaining('is in use by paddock serve, process')])
    const none = await paddock(fleet.stage, ['agent', 'list', '--data', path.join(fleet.stage.root, 'none')])
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringMatching(/No server of this fleet is running\.\n {2}hint: Run: paddock serve --data/),
    ])
  })
})
