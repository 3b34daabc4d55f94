import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, apiClient } from '../../../src/client/api-client.ts'
import { ordinary, paddock } from '../../support/cli.ts'
import { endOf, jobIn } from '../../support/fleet-job.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'
import { until } from '../../support/processes.ts'

/** Records its prompt in its workspace and its home, prints the content of both, and keeps running if it is asked to. */
const script = `prompt=$(cat | head -1)
echo "work $prompt" >> work.txt
echo "home $prompt" >> "$HOME/home.txt"
{ cat work.txt "$HOME/home.txt"; [ ! -e /memory.md ] || cat /memory.md; } | tr '\\n' '|'
echo
case "$prompt" in *stay*) touch here.txt; exec sleep 600;; esac`
const manifest = (name: string) => ({
  ...{ name, agent: 'command', command: ['sh', '-c', script], egress: { policy: 'off' } },
  ...{ parallel: 2, memory: { last: 5 } },
})

describe.each(ordinary)('leases, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
    for (const name of ['lent', 'other']) await fleet.api.POST('/api/v1/agents', { body: { manifest: manifest(name) } })
  })
  afterAll(() => fleet[Symbol.asyncDispose]())
  const lease = (words: readonly string[]) => paddock(fleet.stage, ['lease', ...words, '--data', fleet.data])
  const lend = async (name: string, ...words: readonly string[]): Promise<string> => {
    const made = await lease(['create', 'lent', '--name', name, '--expires', '7d', ...words])
    expect(made.stderr).toContain(`paddock lease revoke ${name}`)
    return made.stdout.trim()
  }
  /** Creates a lease over the API, because a command takes a while. */
  const lendFor = async (name: string, expires: string): Promise<string> =>
    (await fleet.api.POST('/api/v1/leases', { body: { name, agent: 'lent', expires } })).data?.token ?? ''
  const as = (secret: string): ApiClient => apiClient(fleet.url, (request) => fetch(request), secret)
  const give = async (api: ApiClient, prompt: string) => (await api.POST('/api/v1/jobs', { body: { labels: [], prompt } })).data?.id ?? ''
  const done = async (api: ApiClient, prompt: string): Promise<string> => (await endOf(fleet, await give(api, prompt))).result?.text ?? ''
  /** Returns the only workspace of a lease. */
  const workOf = async (name: string): Promise<string> => {
    const { data } = await fleet.api.GET('/api/v1/leases/{lease}', { params: { path: { lease: name } } })
    return path.join(fleet.data, 'agents', data?.agentId ?? '', 'slots', `lease-${data?.id}`, 'work')
  }

  test('a borrower has a home, a workspace and a memory of its own, and finds nothing but its own jobs', async () => {
    const owners = await jobIn(fleet, 'lent', 'apple of the owner')
    const [bob, carol] = [as(await lend('bob', '--budget', '1h')), as(await lend('carol'))]
    expect(await done(bob, 'pear of bob')).toBe('work pear of bob|home pear of bob|')
    const second = await done(bob, 'plum of bob')
    expect(second).toMatch(/^work pear of bob\|work plum of bob\|home pear of bob\|home plum of bob\|# What you did before\|/)
    expect(second.split('# What you did before')[1]).toContain('pear of bob')
    expect(second).not.toContain('apple')
    const hers = await give(carol, 'cherry of carol')
    expect((await endOf(fleet, hers)).result?.text).toBe('work cherry of carol|home cherry of carol|')
    expect((await jobIn(fleet, 'lent', 'fig of the owner')).result?.text).not.toMatch(/pear|plum|cherry/)
    const memory = await fleet.api.GET('/api/v1/agents/{agent}/memory', { params: { path: { agent: 'lent' } } })
    expect(memory.data?.items.map(({ prompt }) => prompt)).toEqual(['fig of the owner', 'apple of the owner'])

    const { data: seen } = await bob.GET('/api/v1/jobs', { params: { query: {} } })
    expect(seen?.items.map(({ promptStart }) => promptStart)).toEqual(['plum of bob', 'pear of bob'])
    const unknown = 'j-00000000000000000000'
    const told = async (id: string) => {
      const params = { params: { path: { job: id } } }
      const answers = [
        await bob.GET('/api/v1/jobs/{job}', params),
        await bob.GET('/api/v1/jobs/{job}/events', params),
        await bob.POST('/api/v1/jobs/{job}/cancel', params),
        await bob.POST('/api/v1/jobs/{job}/messages', { ...params, body: { prompt: 'x' } }),
        await bob.POST('/api/v1/jobs', { body: { labels: [], prompt: 'x', continues: id } }),
      ]
      return answers.map(({ response, error }) => [response.status, JSON.stringify(error).replaceAll(id, 'ID')])
    }
    expect(await told(owners.id)).toEqual(await told(unknown))
    expect(await told(hers)).toEqual(await told(unknown))
    expect((await told(unknown)).map(([status]) => status)).toEqual([404, 404, 404, 404, 404])
    for (const agent of ['other', 'nobody']) {
      const { error, response } = await bob.POST('/api/v1/jobs', { body: { agent, labels: [], prompt: 'x' } })
      expect([response.status, error]).toMatchObject([404, { detail: `There is no agent named ${agent}.` }])
      expect((await bob.GET('/api/v1/jobs', { params: { query: { agent } } })).response.status).toBe(404)
    }
    // The owner sees everything. An operator does too, except the leases.
    const all = await fleet.api.GET('/api/v1/jobs', { params: { query: { lease: 'bob' } } })
    expect(all.data?.items.map(({ requestedBy }) => requestedBy)).toEqual(['lease-bob', 'lease-bob'])
    expect((await lease(['list'])).stdout).toMatch(
      /^NAME +AGENT +STATE +EXPIRES +LEFT\ncarol +lent +open +20\S+ +no budget\nbob +lent +open/,
    )
    expect((await lease(['show', 'bob'])).stdout).toMatch(/^name +bob\n(.*\n)+JOB +STATE +BY +GIVEN +PROMPT\nj-\w+ +done +lease-bob .*plum/)
  })

  test('a text that the topics refuse is refused everywhere, and only the owner sees by which pattern', async () => {
    const secret = await lend('dora', '--topics-allow', 'fruit', '--topics-deny', 'quince')
    const dora = as(secret)
    const { data: own } = await dora.GET('/api/v1/lease')
    expect(own).toMatchObject({ name: 'dora', agent: 'lent', hasTopics: true, budget: null, left: {} })
    expect(JSON.stringify(own)).not.toMatch(/quince|fruit/)
    for (const prompt of ['a fruit, a Quince', 'a stone']) {
      const { error, response } = await dora.POST('/api/v1/jobs', { body: { labels: [], prompt } })
      expect([response.status, error]).toMatchObject([422, { code: 'TOPIC_REFUSED', detail: 'The topics of the lease refuse this text.' }])
    }
    const kept = await fleet.api.GET('/api/v1/audit', { params: { query: { kind: 'fleet.topic' } } })
    expect(JSON.stringify(kept.data)).toContain('The topics of the lease: deny has quince')
    expect((await fleet.api.DELETE('/api/v1/leases/{lease}', { params: { path: { lease: 'dora' } } })).data?.state).toBe('revoked')

    const topics = { deny: ['quince'] }
    await fleet.api.POST('/api/v1/agents', { body: { manifest: { ...manifest('picky'), topics } } })
    const told = await fleet.api.POST('/api/v1/jobs', { body: { agent: 'picky', labels: [], prompt: 'a quince' } })
    expect(told.error).toMatchObject({ code: 'TOPIC_REFUSED', detail: 'The topics of the agent refuse this text: deny has quince.' })
    const body = { name: 'q', agent: 'picky', cron: '* * * * *', zone: 'UTC', prompt: 'a quince', missed: 'once', overlap: 'skip' } as const
    await fleet.api.POST('/api/v1/schedules', { body })
    const ran = await fleet.api.POST('/api/v1/schedules/{schedule}/run', { params: { path: { schedule: 'q' } } })
    expect(ran.response.status).toBe(422)
    await fleet.api.DELETE('/api/v1/schedules/{schedule}', { params: { path: { schedule: 'q' } } })
    const { data: hook } = await fleet.api.POST('/api/v1/hooks', { body: { name: 'forge', agent: 'picky', prompt: 'Sort this.' } })
    const time = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', hook?.secret ?? '')
      .update(`${time}.Quinces!`)
      .digest('hex')
    const headers = { 'x-paddock-time': time, 'x-paddock-signature': signature }
    const delivered = await fetch(`${fleet.url}${hook?.path}`, { method: 'POST', headers, body: 'Quinces!' })
    expect([delivered.status, await delivered.text()]).toEqual([422, expect.not.stringContaining('quince')])
    expect((await fleet.api.GET('/api/v1/hooks')).data?.items[0]?.problem).toBe('The topics of the agent refuse this text.')
    const wrong = await lease(['create', 'lent', '--name', 'x', '--expires', '7d', '--topics-deny', '(x'])
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('body.topics.deny.0: must be a regular expression of JavaScript: Unterminated group'),
    ])
  })

  test('a lease that is revoked ends its token, its streams, its jobs and their cells at once', async () => {
    const secret = await lend('eve')
    const eve = as(secret)
    const job = await give(eve, 'stay')
    const waiting = await give(eve, 'stay, too')
    const work = await workOf('eve')
    await until(() => existsSync(path.join(work, 'here.txt')))
    const stream = await fetch(`${fleet.url}/api/v1/jobs/${job}/events`, { headers: { authorization: `Bearer ${secret}` } })
    expect(stream.status).toBe(200)
    const revoked = await lease(['revoke', 'eve'])
    expect(revoked.stdout).toBe('eve is revoked; its jobs have ended.\n')
    expect(await stream.text()).toMatch(/event: credential\ndata: \{\}\n\n$/)
    expect((await eve.GET('/api/v1/lease')).response.status).toBe(401)
    expect([(await endOf(fleet, job)).state, (await endOf(fleet, waiting)).state]).toEqual(['cancelled', 'cancelled'])
    expect((await endOf(fleet, waiting)).startedAt).toBeNull()
    expect((await lease(['revoke', 'eve'])).code).toBe(0)
    expect((await lease(['revoke', 'nobody'])).code).toBe(2)
    // Revoking the token also revokes the lease.
    const frank = as(await lend('frank'))
    const his = await give(frank, 'stay')
    expect((await paddock(fleet.stage, ['token', 'revoke', 'lease-frank', '--data', fleet.data])).code).toBe(0)
    expect((await endOf(fleet, his)).state).toBe('cancelled')
  })

  test('a lease has one terminal, and none that was being opened when it ended', async () => {
    const openIn = async (name: string) => {
      const { data } = await fleet.api.POST('/api/v1/leases', { body: { name, agent: 'lent', expires: '1h', terminal: 'type' } })
      const api = as(data?.token ?? '')
      return () =>
        api.POST('/api/v1/agents/{agent}/sessions', { params: { path: { agent: 'lent' } }, body: { size: { columns: 80, rows: 24 } } })
    }
    const left = async (name: string) => (await fleet.api.GET('/api/v1/sessions')).data?.items.filter(({ lease }) => lease === name) ?? []
    const hasNone = async (name: string): Promise<void> => {
      while ((await left(name)).length > 0) await setTimeout(25)
    }
    const open = await openIn('typing')
    const answers = await Promise.all([open(), open(), open()])
    expect(answers.map(({ response }) => response.status).sort()).toEqual([201, 409, 409])
    expect(await left('typing')).toHaveLength(1)
    expect((await open()).response.status).toBe(409)

    const late = (await openIn('late'))()
    await fleet.api.DELETE('/api/v1/leases/{lease}', { params: { path: { lease: 'late' } } })
    expect((await late).response.status).toBeGreaterThanOrEqual(400)
    await hasNone('late')
    await fleet.api.DELETE('/api/v1/leases/{lease}', { params: { path: { lease: 'typing' } } })
    await hasNone('typing')
  })

  test('an owner steps in: a job of a lease is cancelled as any other', async () => {
    const gil = as(await lend('gil'))
    const job = await give(gil, 'stay')
    await fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job } } })
    expect((await endOf(fleet, job)).state).toBe('cancelled')
    expect((await gil.GET('/api/v1/jobs/{job}', { params: { path: { job } } })).data).toMatchObject({ state: 'cancelled', prompt: 'stay' })
  })

  test('a budget holds for all jobs of a lease together, and after a restart of the server', async () => {
    const secret = await lend('hal', '--budget', '1s')
    const hal = as(secret)
    const job = await endOf(fleet, await give(hal, 'stay'))
    expect([job.state, job.result?.outcome.kind]).toEqual(['failed', 'out-of-budget'])
    const seen = await hal.GET('/api/v1/jobs/{job}', { params: { path: { job: job.id } } })
    expect(seen.data?.result).toMatchObject({
      outcome: { hint: null, message: expect.stringContaining('the budget of the lease') },
      notes: [],
      copy: null,
    })
    await fleet.replace()
    const again = as(secret)
    const { error, response } = await again.POST('/api/v1/jobs', { body: { labels: [], prompt: 'stay' } })
    expect([response.status, error]).toMatchObject([409, { detail: expect.stringMatching(/^The budget of the lease .* is used up\.$/) }])
    expect((await again.GET('/api/v1/lease')).data?.left).toEqual({ time: 0 })
    const { data } = await fleet.api.GET('/api/v1/leases/{lease}', { params: { path: { lease: 'hal' } } })
    expect(data).toMatchObject({ state: 'open', budget: { time: '1s' }, left: { time: 0 } })
  })

  test('a lease that expires ends its streams and its jobs', async () => {
    const secret = await lendFor('jan', '5s')
    const job = await give(as(secret), 'stay')
    const stream = await fetch(`${fleet.url}/api/v1/jobs/${job}/events`, { headers: { authorization: `Bearer ${secret}` } })
    // Its host process ends the job on its own at the same moment.
    expect(await stream.text()).toMatch(/event: (credential|ended)\ndata: \{\}\n\n$/)
    expect((await endOf(fleet, job)).state).toBe('cancelled')
    expect((await as(secret).GET('/api/v1/lease')).response.status).toBe(401)
  })

  test('a lease ends in time while no server runs', async () => {
    const ida = as(await lendFor('ida', '8s'))
    const job = await give(ida, 'stay')
    const [work, agent] = [
      await workOf('ida'),
      (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job } } })).data?.agentId ?? '',
    ]
    await until(() => existsSync(path.join(work, 'here.txt')))
    await fleet.kill('SIGKILL')
    const result = path.join(fleet.data, 'agents', agent, 'jobs', job, 'result.json')
    await until(() => existsSync(result))
    expect(JSON.parse(readFileSync(result, 'utf8'))).toMatchObject({ state: 'cancelled' })
    await fleet.start()
    expect((await endOf(fleet, job)).state).toBe('cancelled')
    const state = async () => (await fleet.api.GET('/api/v1/leases/{lease}', { params: { path: { lease: 'ida' } } })).data
    while ((await state())?.endedAt === null) await setTimeout(20)
    expect((await state())?.state).toBe('expired')
  })

  test("facts about the owner's machine are not shown to a borrower", async () => {
    const project = path.join(fleet.stage.project, 'soon-gone')
    mkdirSync(project)
    await fleet.api.POST('/api/v1/agents', { body: { manifest: { ...manifest('lost'), workspace: { copy: project } } } })
    const { data } = await fleet.api.POST('/api/v1/leases', { body: { name: 'kim', agent: 'lost', expires: '1h' } })
    const kim = as(data?.token ?? '')
    rmdirSync(project)
    const refused = await endOf(fleet, await give(kim, 'anything'))
    expect(refused.result?.outcome.message).toContain(project)
    const seen = await kim.GET('/api/v1/jobs/{job}', { params: { path: { job: refused.id } } })
    expect(seen.data?.result?.outcome).toMatchObject({
      kind: 'start-failed',
      message: expect.stringContaining('ask the person who lent you'),
    })
    expect(JSON.stringify(seen.data)).not.toContain(project)
  })

  test('an agent that works in a project of its owner is not lent', async () => {
    const { project } = fleet.stage
    const body = { manifest: { ...manifest('inside'), parallel: 1, workspace: { project } } }
    expect((await fleet.api.POST('/api/v1/agents', { body })).response.status).toBe(201)
    const refused = await lease(['create', 'inside', '--name', 'x', '--expires', '7d'])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('works in a project of yours, which cannot be lent.')])
    const unheld = await lease(['create', 'lent', '--name', 'x', '--expires', '7d', '--budget', '5usd'])
    expect([unheld.code, unheld.stderr]).toEqual([125, expect.stringContaining('cannot be held')])
  })
})
