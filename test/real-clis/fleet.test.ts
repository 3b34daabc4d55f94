import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { components } from '../../src/client/api.ts'
import { everyone } from '../support/cli.ts'
import { type FleetServer, startFleet } from '../support/fleet-server.ts'
import { type Conversation, commandsThenText } from '../support/model-servers/script.ts'
import { type ModelServer, startModelServer } from '../support/model-servers/server.ts'
import { modelHost, pin, type RealAgent, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

type Job = components['schemas']['WholeJob']

describe.each(everyone)('real CLIs in a fleet, as %s', (who) => {
  let fleet: FleetServer
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer({ script: commandsThenText([], 'It is written.') })
    fleet = await startFleet(who, [], (env) => withRealClis(env, who))
  })
  afterAll(async () => {
    await fleet[Symbol.asyncDispose]()
    await server.close()
  })

  const create = (agent: RealAgent, name: string, port: number, more: Record<string, unknown> = {}) =>
    fleet.api.POST('/api/v1/agents', {
      body: {
        manifest: {
          name,
          agent: agent.name,
          model: agent.model,
          baseUrl: `http://${modelHost}:${port}`,
          env: [`${agent.key}=placeholder`],
          egress: { allow: [pin(port)] },
          ...more,
        },
      },
    })
  const job = async (id: string): Promise<Job> => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data as Job
  const ended = async (id: string): Promise<Job> => {
    for (;;) {
      const now = await job(id)
      if (now.endedAt !== null) return now
      await setTimeout(100)
    }
  }
  const give = async (agent: string, prompt: string): Promise<string> =>
    (await fleet.api.POST('/api/v1/jobs', { body: { agent, labels: [], prompt } })).data?.id ?? ''

  test.each(realAgents)('$name continues the conversation of an earlier job, with its whole history', async (agent) => {
    const created = await create(agent, agent.name, server.port)
    expect(created.response.status, JSON.stringify(created.error)).toBe(201)
    const first = await ended(await give(agent.name, 'Remember the word apricot.'))
    expect([first.state, first.problem, first.result?.outcome.message]).toEqual(['done', null, null])
    expect(first.conversation).toMatch(/^[A-Za-z0-9][\w-]{7,63}$/)
    const before = server.requests.length
    const { data, error } = await fleet.api.POST('/api/v1/jobs/{job}/continue', {
      params: { path: { job: first.id } },
      body: { prompt: 'Which word was it?' },
    })
    expect(error).toBeUndefined()
    const second = await ended(data?.id ?? '')
    expect([second.state, second.result?.outcome.message, second.continues]).toEqual(['done', null, first.id])
    const asked = server.requests.slice(before).map((each) => JSON.stringify(each.conversation))
    expect(asked.some((each) => each.includes('apricot') && each.includes('Which word'))).toBe(true)
  })

  test.each(realAgents)('$name delegates a job, and asks', async (agent) => {
    const offered = new Set<string>()
    // Codex offers such tools only to models that search for them.
    const named = (conversation: Conversation, tool: string): string | undefined =>
      conversation.tools.find((each) => each.endsWith(tool)) ??
      (conversation.tools.includes('tool_search') ? `mcp__paddock/${tool}` : undefined)
    const model = await startModelServer({
      script: (conversation) => {
        for (const each of conversation.tools) offered.add(each)
        const [delegate, ask] = [named(conversation, 'delegate'), named(conversation, 'ask')]
        if (delegate === undefined || ask === undefined) return { say: 'no tools' }
        const { toolResults } = conversation
        if (toolResults.length === 0) return { call: delegate, input: { agent: `${agent.name}-helper`, prompt: 'the dishes' } }
        if (toolResults.length === 1) return { call: ask, input: { question: 'Tea or coffee?' } }
        return { say: toolResults.join(' | ') }
      },
    })
    onTestFinished(() => model.close())
    const helper = { agent: 'command', command: ['sh', '-c', 'echo "did: $(cat)"'], egress: { policy: 'off' } }
    await fleet.api.POST('/api/v1/agents', { body: { manifest: { name: `${agent.name}-helper`, ...helper } as never } })
    const tools = { tools: ['delegate', 'ask'], delegates: [`${agent.name}-helper`] }
    const created = await create(agent, `${agent.name}-chief`, model.port, tools)
    expect(created.response.status, JSON.stringify(created.error)).toBe(201)
    const id = await give(`${agent.name}-chief`, 'Please have the dishes done.')
    for (let isAnswered = false; !isAnswered && (await job(id)).endedAt === null; await setTimeout(100)) {
      const { data } = await fleet.api.GET('/api/v1/inbox')
      const asked = data?.items.find((each) => each.job === id && each.kind === 'ask')
      if (asked === undefined) continue
      const { error } = await fleet.api.POST('/api/v1/inbox/{id}/answer', {
        params: { path: { id: asked.id } },
        body: { text: 'Tea.' } as never,
      })
      expect(error).toBeUndefined()
      isAnswered = true
    }
    const end = await ended(id)
    expect([end.state, end.result?.outcome.message], [...offered].join()).toEqual(['done', null])
    expect(end.result?.text, [...offered].join()).toContain('did: the dishes')
    expect(end.result?.text).toContain('Tea.')
  })

  test.each(realAgents.filter(({ name }) => name === 'claude' || name === 'codex'))(
    '$name goes on while its server is killed, and after its host process was killed if its manifest says so',
    async (agent) => {
      const slow = await startModelServer({ script: commandsThenText(['sleep 3; echo made > RESULT.md'], 'It is written.') })
      onTestFinished(() => slow.close())
      await create(agent, `${agent.name}-kept`, slow.port, { restart: 'continue' })
      const kept = await give(`${agent.name}-kept`, 'Please write RESULT.md about quinces.')
      const spoken = async (id: string): Promise<void> => {
        while ((await job(id)).state === 'queued' || !slow.requests.some((each) => JSON.stringify(each.conversation).includes('quinces')))
          await setTimeout(50)
      }
      await spoken(kept)
      await fleet.replace()
      expect((await ended(kept)).state).toBe('done')
      const known = slow.requests.length
      const lost = await give(`${agent.name}-kept`, 'Please write RESULT.md about medlars.')
      while (!slow.requests.slice(known).some((each) => JSON.stringify(each.conversation).includes('medlars'))) await setTimeout(50)
      await setTimeout(500)
      const { agentId } = await job(lost)
      process.kill(fleet.hostOf(agentId ?? ''), 'SIGKILL')
      expect(await ended(lost)).toMatchObject({ state: 'interrupted', conversation: expect.any(String) })
      const { data } = await fleet.api.GET('/api/v1/jobs', { params: { query: { agent: `${agent.name}-kept` } } })
      const next = await ended(data?.items[0]?.id ?? '')
      expect(next, JSON.stringify(next.result?.outcome)).toMatchObject({ state: 'done', continues: lost, attempt: 2 })
      const last = JSON.stringify(slow.requests.at(-1)?.conversation)
      expect(last).toContain('medlars')
      expect(last).toContain('You were interrupted')
    },
  )

  test.each(realAgents.filter(({ name }) => name === 'claude' || name === 'codex'))(
    '$name gets the messages to a busy job when that job has ended, and one that is sent now ends it',
    async (agent) => {
      const slow = await startModelServer({ script: commandsThenText(['sleep 2'], 'It is done.') })
      onTestFinished(() => slow.close())
      const name = `${agent.name}-messages`
      await create(agent, name, slow.port)
      const heard = (word: string) => slow.requests.some((each) => JSON.stringify(each.conversation).includes(word))
      const say = async (to: string, prompt: string): Promise<string> =>
        (await fleet.api.POST('/api/v1/jobs/{job}/messages', { params: { path: { job: to } }, body: { prompt } })).data?.id ?? ''
      const first = await give(name, 'Please wait, and think of quinces.')
      while (!heard('quinces')) await setTimeout(50)
      const [second, third] = [await say(first, 'Now think of medlars.'), await say(first, 'Now think of sloes.')]
      expect((await ended(second)).result?.outcome.message).toBeNull()
      expect([(await job(first)).state, (await job(second)).state]).toEqual(['done', 'done'])
      expect((await ended(third)).state).toBe('done')
      const last = JSON.stringify(slow.requests.at(-1)?.conversation)
      expect(['quinces', 'medlars', 'sloes'].filter((each) => !last.includes(each))).toEqual([])

      const busy = await startModelServer({ script: commandsThenText(['tail -f /dev/null'], 'It is done.') })
      onTestFinished(() => busy.close())
      await create(agent, `${name}-now`, busy.port)
      const long = await give(`${name}-now`, 'Please wait for long, and think of damsons.')
      while (!busy.requests.some((each) => JSON.stringify(each.conversation).includes('damsons'))) await setTimeout(50)
      await setTimeout(1_000)
      const now = (
        await fleet.api.POST('/api/v1/jobs/{job}/messages', {
          params: { path: { job: long } },
          body: { prompt: 'Stop, think of bullaces.' },
        })
      ).data?.id
      expect((await fleet.api.POST('/api/v1/jobs/{job}/send-now', { params: { path: { job: now ?? '' } } })).response.status).toBe(202)
      expect((await ended(long)).state).toBe('cancelled')
      while (!busy.requests.some((each) => JSON.stringify(each.conversation).includes('bullaces'))) await setTimeout(50)
      const asked = JSON.stringify(busy.requests.at(-1)?.conversation)
      expect(asked).toContain('damsons')
      await fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: now ?? '' } } })
      await ended(now ?? '')
    },
  )

  test.each(realAgents)('$name is stopped when its job has used its budget, and what it used is counted', async (agent) => {
    const endless = await startModelServer({
      script: (conversation) =>
        conversation.tools.length === 0 ? { say: 'A title' } : { run: `echo ${conversation.toolResults.length} >> STEPS.md` },
    })
    onTestFinished(() => endless.close())
    const name = `${agent.name}-budget`
    const created = await create(agent, name, endless.port, { budgets: { job: { turns: 3 } } })
    expect(created.response.status, JSON.stringify(created.error)).toBe(201)
    const end = await ended(await give(name, 'Please write STEPS.md for ever.'))
    expect(end.result?.outcome).toMatchObject({
      kind: 'out-of-budget',
      message: expect.stringMatching(/^the budget of the job \([45] of 3 turns\) is used up$/),
    })
    expect(end).toMatchObject({ state: 'failed', result: { turns: expect.any(Number), changes: { created: ['STEPS.md'] } } })
    expect(end.result?.cellMs).toBeGreaterThan(0)
  })

  test('a job whose model refuses it for a rate limit waits for the reset, without a cell, and goes on where it was', async () => {
    const claude = realAgents.find(({ name }) => name === 'claude') as RealAgent
    let refusals = 0
    const limited = await startModelServer({
      script: (conversation) => {
        if (conversation.tools.length === 0) return { say: 'A title' }
        if (conversation.toolResults.length === 0) return { run: 'echo one > ONE.md' }
        const isReset = conversation.userTexts.some((each) => each.includes('You were interrupted'))
        if (!isReset) refusals += 1
        return isReset ? { say: 'It goes on.' } : { fail: 'rate-limit', resetsInSeconds: 2 }
      },
    })
    onTestFinished(() => limited.close())
    await create(claude, 'limited', limited.port)
    const id = await give('limited', 'Please write ONE.md about damsons.')
    let now = await job(id)
    while (now.state === 'queued' || now.state === 'running') {
      await setTimeout(50)
      now = await job(id)
    }
    expect(now).toMatchObject({ state: 'waiting', problem: expect.stringContaining('it continues at 20') })
    const end = await ended(id)
    expect(end).toMatchObject({ state: 'done', problem: null, result: { text: 'It goes on.', changes: { created: ['ONE.md'] } } })
    expect(refusals).toBeGreaterThan(0)
    expect(JSON.stringify(limited.requests.at(-1)?.conversation)).toContain('damsons')

    const long = await startModelServer({ script: () => ({ fail: 'rate-limit' }) })
    onTestFinished(() => long.close())
    await create(claude, 'limited-for-long', long.port)
    const other = await give('limited-for-long', 'Please wait.')
    while ((await job(other)).state !== 'waiting') await setTimeout(50)
    await fleet.api.POST('/api/v1/jobs/{job}/cancel', { params: { path: { job: other } } })
    expect(await ended(other)).toMatchObject({ state: 'cancelled', result: { outcome: { kind: 'cancelled' } } })
  })
})
