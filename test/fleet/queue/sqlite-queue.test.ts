import { expect, test } from 'vitest'
import type { JobResult } from '../../../src/fleet/jobs/job.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'

const resultOf = (job: string, state: JobResult['state'] = 'done'): JobResult => ({
  schemaVersion: 1,
  job,
  state,
  outcome: { kind: 'ran', exitCode: 0, message: null, hint: null, resetsAt: null },
  text: 'answer',
  usage: { input: 3, output: 4, cachedInput: 0, model: null },
  costUsd: 0.5,
  toolCalls: 0,
  turns: 0,
  cellMs: 0,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:01.000Z',
  conversation: 'c-1',
  changes: null,
  copy: null,
  worktree: null,
  notes: [],
})

test('a job goes from the queue to its end, with an event for each step', async () => {
  using store = await openTestStore()
  const { queue, agents, events } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  const { job, isNew } = await queue.put({ ...plainJob, agent: agent.id, prompt: 'x'.repeat(1000) })
  expect([isNew, job.state, job.promptStart.length, job.number]).toEqual([true, 'queued', 200, 1])
  expect((await queue.prompt(job.id)).length).toBe(1000)
  const claimed = await queue.claim({ id: agent.id, labels: [], adapter: 'command' }, [1])
  expect(claimed).toMatchObject({ id: job.id, state: 'running', slot: 2 })
  expect(await queue.claim({ id: agent.id, labels: [], adapter: 'command' }, [])).toBeNull()
  expect((await queue.inHand()).map((each) => each.id)).toEqual([job.id])
  await queue.note(job.id, 'waiting')
  await queue.note(job.id, 'waiting')
  await queue.note(job.id, 'running')
  const ended = await queue.end(job.id, { result: resultOf(job.id) })
  expect(ended).toMatchObject({ state: 'done', conversation: 'c-1', result: { text: 'answer' } })
  expect(await queue.end(job.id, { result: resultOf(job.id, 'failed') })).toBeNull()
  expect((await queue.get(job.id))?.state).toBe('done')
  expect(events.after(0, 100).map((each) => [each.id, each.kind, each.job])).toEqual([
    [1, 'agent.created', null],
    [2, 'job.queued', job.id],
    [3, 'job.started', job.id],
    [4, 'job.waiting', job.id],
    [5, 'job.running', job.id],
    [6, 'job.ended', job.id],
  ])
  expect([events.first, events.last]).toEqual([1, 6])
  events.keep(2)
  expect([events.first, events.last]).toEqual([5, 6])
  events.keep(0)
  expect([events.first, events.last]).toEqual([7, 6])
})

test('usage of jobs is summed by agent, model and day, and is kept when the jobs are deleted', async () => {
  using store = await openTestStore()
  const { queue, agents, usage } = store
  const agent = agents.create({ name: 'one', agent: 'claude' }, null)
  const run = async (more: Partial<JobResult>) => {
    const { job } = await queue.put({ ...plainJob, agent: agent.id })
    await queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, [])
    await queue.end(job.id, { result: { ...resultOf(job.id), ...more } })
    await queue.end(job.id, { result: { ...resultOf(job.id), ...more } })
  }
  await run({})
  await run({ usage: { input: 10, output: 20, cachedInput: 5, model: 'm' }, costUsd: null, endedAt: '2026-01-02T00:00:02.000Z' })
  const year = { from: '2026-01-01', to: '2026-12-31' }
  const total = { jobs: 2, unpriced: 1, input: 13, output: 24, cachedInput: 5, costUsd: 0.5, toolCalls: 0, wallMs: 1000 + 86_402_000 }
  expect(usage.read({ by: 'agent', ...year })).toEqual({ items: [{ name: 'one', ...total }], total })
  agents.remove(agent.id)
  expect(usage.read({ by: 'agent', ...year }).total).toEqual(total)
  expect(usage.read({ by: 'model', ...year }).items.map((each) => [each.name, each.input])).toEqual([
    ['', 3],
    ['m', 10],
  ])
  expect(usage.read({ by: 'day', ...year, from: '2026-01-02' }).items.map((each) => [each.name, each.jobs])).toEqual([['2026-01-02', 1]])
})

test('a job with the key of an earlier one is that one, and another request with it is refused', async () => {
  using store = await openTestStore()
  const { queue } = store
  const first = await queue.put({ ...plainJob, idempotencyKey: 'k' })
  expect(await queue.put({ ...plainJob, idempotencyKey: 'k' })).toEqual({ job: first.job, isNew: false })
  await expect(queue.put({ ...plainJob, prompt: 'other', idempotencyKey: 'k' })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await queue.put({ ...plainJob, requestedBy: 'another', idempotencyKey: 'k' })).isNew).toBe(true)
})

test('a job for any agent goes to one that has all of its labels, in the order of all jobs', async () => {
  using store = await openTestStore()
  const { queue, agents } = store
  const [docs, plain] = ['docs', 'plain'].map((name) => agents.create({ name, agent: 'command', command: ['true'] }, null))
  const [labelled, own, free] = [
    await queue.put({ ...plainJob, labels: ['docs', 'fast'] }),
    await queue.put({ ...plainJob, agent: plain?.id ?? '' }),
    await queue.put(plainJob),
  ]
  expect(await queue.wanted()).toEqual({ agents: [plain?.id], any: true })
  expect((await queue.claim({ id: plain?.id ?? '', labels: ['docs'], adapter: 'command' }, []))?.id).toBe(own.job.id)
  expect((await queue.claim({ id: docs?.id ?? '', labels: ['docs', 'fast', 'more'], adapter: 'command' }, []))?.id).toBe(labelled.job.id)
  expect((await queue.claim({ id: docs?.id ?? '', labels: ['docs'], adapter: 'command' }, [1]))?.id).toBe(free.job.id)
  // After it is given back, the job for any agent can go to another agent, and keeps its place.
  await queue.giveBack(labelled.job.id)
  expect(await queue.get(labelled.job.id)).toMatchObject({ agent: null, state: 'queued', slot: null, startedAt: null })
  await queue.giveBack(own.job.id, Date.now() + 60_000)
  expect(await queue.claim({ id: plain?.id ?? '', labels: [], adapter: 'command' }, [])).toBeNull()
  expect((await queue.claim({ id: plain?.id ?? '', labels: ['docs', 'fast'], adapter: 'command' }, []))?.id).toBe(labelled.job.id)
})

test('a queued job that is cancelled is over, and one that runs is asked to end', async () => {
  using store = await openTestStore()
  const { queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  const [one, two] = [await queue.put({ ...plainJob, agent: agent.id }), await queue.put({ ...plainJob, agent: agent.id })]
  await queue.claim({ id: agent.id, labels: [], adapter: 'command' }, [])
  expect(await queue.cancel(one.job.id)).toMatchObject({ state: 'running', cancelAsked: true })
  expect(await queue.cancel(one.job.id)).toMatchObject({ state: 'running', cancelAsked: true })
  expect(await queue.cancel(two.job.id)).toMatchObject({ state: 'cancelled' })
  expect(await queue.cancel(two.job.id)).toBeNull()
  expect((await queue.list({ state: 'cancelled' }, { before: null, limit: 10 })).map((each) => each.id)).toEqual([two.job.id])
})

test('lists go backwards by number, whole or by agent and state', async () => {
  using store = await openTestStore()
  const { queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  for (let index = 0; index < 5; index += 1) await queue.put({ ...plainJob, agent: index % 2 === 0 ? agent.id : null })
  const numbers = async (...args: Parameters<typeof queue.list>) => (await queue.list(...args)).map((each) => each.number)
  expect(await numbers({}, { before: null, limit: 3 })).toEqual([5, 4, 3])
  expect(await numbers({}, { before: 3, limit: 3 })).toEqual([2, 1])
  expect(await numbers({ agent: agent.id, state: 'queued' }, { before: null, limit: 9 })).toEqual([5, 3, 1])
})

test('a job that continues another waits for the slot of that one, while others go on', async () => {
  using store = await openTestStore()
  const { queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'claude', parallel: 2 }, null)
  const claimant = { id: agent.id, labels: [], adapter: 'claude' }
  const give = async (continues: string | null = null) =>
    (await queue.put({ ...plainJob, agent: agent.id, continues, conversation: continues === null ? null : 'c-1' })).job
  const [first, second] = [await give(), await give()]
  expect([(await queue.claim(claimant, []))?.slot, (await queue.claim(claimant, [1]))?.slot]).toEqual([1, 2])
  await queue.end(second.id, { result: resultOf(second.id) })
  const [next, other] = [await give(second.id), await give()]
  expect(next).toMatchObject({ slot: 2, adapter: 'claude' })
  expect((await queue.claim(claimant, [2]))?.id).toBe(other.id)
  expect(await queue.claim(claimant, [1, 2])).toBeNull()
  await queue.end(first.id, { result: resultOf(first.id) })
  expect(await queue.claim(claimant, [1])).toMatchObject({ id: next.id, slot: 2 })
  await queue.giveBack(next.id)
  expect(await queue.get(next.id)).toMatchObject({ state: 'queued', slot: 2, adapter: 'claude' })
})

test('a message begins when the job before it has ended, in its slot and conversation, and messages keep their order', async () => {
  using store = await openTestStore()
  const { queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'claude', parallel: 3 }, null)
  const claim = async (...used: number[]) => (await queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, used))?.id ?? null
  const say = async (continues: string, prompt: string) =>
    (await queue.put({ ...plainJob, agent: agent.id, continues, prompt, isMessage: true, idempotencyKey: prompt })).job
  const { job } = await queue.put({ ...plainJob, agent: agent.id })
  await claim()
  const [first, second, third] = [await say(job.id, '1'), await say(job.id, '2'), await say(job.id, '3')]
  expect([first.continues, second.continues, third.continues]).toEqual([job.id, first.id, second.id])
  expect((await say(job.id, '2')).id).toBe(second.id)
  expect(await claim(1)).toBeNull()
  expect((await queue.change(third.id, 'another'))?.promptStart).toBe('another')
  expect(await queue.prompt(third.id)).toBe('another')
  expect(await queue.change(job.id, 'too late')).toBeNull()
  // A withdrawn message is removed from the conversation.
  await queue.cancel(second.id)
  expect((await queue.get(third.id))?.continues).toBe(first.id)
  await queue.end(job.id, { result: resultOf(job.id) })
  expect(await claim()).toBe(first.id)
  expect(await queue.get(first.id)).toMatchObject({ slot: 1, conversation: 'c-1', adapter: 'claude' })
  expect(await claim(1)).toBeNull()
  await queue.end(first.id, { result: { ...resultOf(first.id), conversation: 'c-2' } })
  expect((await say(job.id, '4')).continues).toBe(third.id)
  expect(await claim()).toBe(third.id)
  expect(await queue.get(third.id)).toMatchObject({ slot: 1, conversation: 'c-2' })
})

test('a message to a lost job goes to the one that follows it', async () => {
  using store = await openTestStore()
  const { queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'claude' }, null)
  const { job } = await queue.put({ ...plainJob, agent: agent.id })
  await queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, [])
  const message = await queue.put({ ...plainJob, agent: agent.id, continues: job.id, isMessage: true })
  const next = await queue.put({ ...plainJob, agent: agent.id, continues: job.id, conversation: 'c-1', attempt: 2 })
  await queue.end(job.id, { state: 'interrupted', problem: 'It was lost.' })
  expect((await queue.get(message.job.id))?.continues).toBe(next.job.id)
  expect((await queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, []))?.id).toBe(next.job.id)
})
