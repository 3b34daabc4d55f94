import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiClient } from '../../../src/client/api-client.ts'
import { ordinary } from '../../support/cli.ts'
import { endOf, jobIn } from '../../support/fleet-job.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'
import { type ModelServer, startModelServer } from '../../support/model-servers/server.ts'

describe.each(ordinary)('leases of model agents, as %s', (who) => {
  let fleet: FleetServer
  let models: ModelServer
  beforeAll(async () => {
    models = await startModelServer({
      // Delegates, or tries every existing tool, whichever it is offered.
      script: ({ toolResults, userTexts }) => {
        const [word, prompt = ''] = (userTexts[0] ?? '').split(' ')
        if (word === 'leave')
          return toolResults.length > 1
            ? { say: 'They work on.' }
            : { call: 'delegate', input: { agent: 'sleeper', prompt: String(toolResults.length), wait: false } }
        if (word === 'delegate')
          return toolResults.length > 0
            ? { say: toolResults.join() }
            : { call: 'delegate', input: { agent: 'helper', prompt: [...prompt].reverse().join('') } }
        return toolResults.length % 2 === 0 && toolResults.length < 2 * userTexts.length
          ? { call: 'bash', input: { command: 'touch by-bash' } }
          : toolResults.length < 2 * userTexts.length
            ? { call: 'file_write', input: { path: `${userTexts.length}.md`, content: userTexts.at(-1) ?? '' } }
            : { say: userTexts.join(', then ') }
      },
    })
    fleet = await startFleet(who)
  })
  afterAll(async () => {
    await fleet[Symbol.asyncDispose]()
    await models.close()
  })

  test('a model has only the tools that the lease leaves, and messages to its job work in the workspace of the lease', async () => {
    const manifest = {
      ...{ name: 'lent', kind: 'model', provider: 'openai-compatible', baseUrl: `${models.url}/v1`, model: 'm', keyless: true },
      ...{ tools: ['bash', 'file_write'], egress: { policy: 'off' } },
    }
    const { data: agent } = await fleet.api.POST('/api/v1/agents', { body: { manifest } })
    const slots = path.join(fleet.data, 'agents', agent?.id ?? '', 'slots')
    await jobIn(fleet, 'lent', 'of the owner')
    expect(existsSync(path.join(slots, '1/work/by-bash'))).toBe(true)

    const terms = { name: 'bob', agent: 'lent', expires: '1h', tools: ['file_write'] }
    const { data: made } = await fleet.api.POST('/api/v1/leases', { body: terms })
    const bob = apiClient(fleet.url, (request) => fetch(request), made?.token ?? '')
    const { data: given } = await bob.POST('/api/v1/jobs', { body: { labels: [], prompt: 'of bob' } })
    const first = await endOf(fleet, given?.id ?? '')
    expect([first.state, first.result?.text]).toEqual(['done', 'of bob'])
    const work = path.join(slots, `lease-${made?.lease.id}`, 'work')
    expect([existsSync(path.join(work, 'by-bash')), readFileSync(path.join(work, '1.md'), 'utf8')]).toEqual([false, 'of bob'])

    const params = { path: { job: first.id } }
    const said = await bob.POST('/api/v1/jobs/{job}/messages', { params, body: { prompt: 'more of bob' } })
    expect((await endOf(fleet, said.data?.id ?? '')).result?.text).toBe('of bob, then more of bob')
    // The owner of the fleet continues the conversation.
    const stepped = await fleet.api.POST('/api/v1/jobs/{job}/messages', { params, body: { prompt: 'the owner' } })
    const last = await endOf(fleet, stepped.data?.id ?? '')
    expect([last.lease, last.result?.text]).toEqual([made?.lease.id, 'of bob, then more of bob, then the owner'])
    expect(readFileSync(path.join(work, '3.md'), 'utf8')).toBe('the owner')
    expect(existsSync(path.join(work, 'by-bash'))).toBe(false)
    expect((await bob.GET('/api/v1/jobs', { params: { query: {} } })).data?.items.length).toBe(3)
    // If the owner names tools that the agent does not have, the lease is refused.
    const wrong = await fleet.api.POST('/api/v1/leases', { body: { ...terms, name: 'x', tools: ['http'] } })
    expect([wrong.response.status, wrong.error]).toMatchObject([400, { detail: 'body.tools.0: http is not a tool of lent.' }])
  })

  test("work that a lease's job delegates passes its topics, counts for its budget, and is not remembered for others", async () => {
    const model = { kind: 'model', provider: 'openai-compatible', baseUrl: `${models.url}/v1`, model: 'm', keyless: true }
    const shared = { ...model, egress: { policy: 'off' }, memory: { last: 5 } }
    const helper = { ...shared, name: 'helper', tools: ['bash', 'file_write'] }
    const { data: agent } = await fleet.api.POST('/api/v1/agents', { body: { manifest: helper } })
    await fleet.api.POST('/api/v1/agents', { body: { manifest: { ...shared, name: 'lead', tools: ['delegate'], delegates: ['helper'] } } })
    const terms = { name: 'eve', agent: 'lead', expires: '1h', budget: { turns: 100 }, topics: { deny: ['quince'] } }
    const { data: made } = await fleet.api.POST('/api/v1/leases', { body: terms })
    const eve = apiClient(fleet.url, (request) => fetch(request), made?.token ?? '')
    const job = async (prompt: string) => {
      const { data } = await eve.POST('/api/v1/jobs', { body: { labels: [], prompt } })
      return endOf(fleet, data?.id ?? '')
    }
    // The model reverses the letters, so that the borrower's own text passes.
    const refused = await job('delegate ecniuq')
    expect(refused.result?.text).toContain('The topics of the lease refuse this text.')
    const used = async () => 100 - ((await eve.GET('/api/v1/lease')).data?.left['turns'] ?? 0)
    expect(await used()).toBe(2)
    const done = await job('delegate seop')
    expect(done.result?.text).toContain('helper, which did the job')
    // Two answers of the model itself, and three of the helper.
    expect(await used()).toBe(7)
    const params = { path: { agent: agent?.id ?? '' } }
    expect((await fleet.api.GET('/api/v1/agents/{agent}/memory', { params })).data?.items).toEqual([])
  })

  test("work that a lease's job delegated ends with the lease, even if that job has ended, and none starts afterwards", async () => {
    const model = { kind: 'model', provider: 'openai-compatible', baseUrl: `${models.url}/v1`, model: 'm', keyless: true }
    const sleeper = { name: 'sleeper', agent: 'command', command: ['sleep', '600'], egress: { policy: 'off' as const } }
    await fleet.api.POST('/api/v1/agents', { body: { manifest: sleeper } })
    const giver = { ...model, name: 'giver', egress: { policy: 'off' as const }, tools: ['delegate'], delegates: ['sleeper'] }
    await fleet.api.POST('/api/v1/agents', { body: { manifest: giver } })
    const { data: made } = await fleet.api.POST('/api/v1/leases', { body: { name: 'mallory', agent: 'giver', expires: '1h' } })
    const mallory = apiClient(fleet.url, (request) => fetch(request), made?.token ?? '')
    const { data } = await mallory.POST('/api/v1/jobs', { body: { labels: [], prompt: 'leave them' } })
    expect((await endOf(fleet, data?.id ?? '')).result?.text).toBe('They work on.')
    const children = async () => (await fleet.api.GET('/api/v1/jobs', { params: { query: { agent: 'sleeper' } } })).data?.items ?? []
    while (!(await children()).some(({ state }) => state === 'running')) await setTimeout(50)
    expect((await children()).map(({ state }) => state)).toEqual(['queued', 'running'])
    await fleet.api.DELETE('/api/v1/leases/{lease}', { params: { path: { lease: 'mallory' } } })
    expect((await children())[0]?.state).toBe('cancelled')
    while ((await children())[1]?.state !== 'cancelled') await setTimeout(50)
    expect((await children())[0]).toMatchObject({ state: 'cancelled', startedAt: null })
  })
})
