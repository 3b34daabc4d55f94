import { expect, test } from 'vitest'
import type { JobResult } from '../../../src/fleet/jobs/job.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'
import { resultOf } from '../../support/job-result.ts'

test('a job goes from the queue to its end, with an event for each step', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents, events } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  const { job, isNew } = queue.put({ ...plainJob, agent: agent.id, prompt: 'x'.repeat(1000) })
  expect([isNew, job.state, job.promptStart.length, job.number]).toEqual([true, 'queued', 200, 1])
  expect(queue.prompt(job.id).length).toBe(1000)
  const claimed = queue.claim({ id: agent.id, labels: [], adapter: 'command' }, [1])
  expect(claimed).toMatchObject({ id: job.id, state: 'running', slot: 2 })
  expect(queue.claim({ id: agent.id, labels: [], adapter: 'command' }, [])).toBeNull()
  expect(queue.inHand().map((each) => each.id)).toEqual([job.id])
  queue.note(job.id, 'waiting')
  queue.note(job.id, 'waiting')
  queue.note(job.id, 'running')
  const ended = queue.end(job.id, { result: resultOf(job.id) })
  expect(ended).toMatchObject({ state: 'done', conversation: 'c-1', result: { text: 'answer' } })
  expect(queue.end(job.id, { result: resultOf(job.id, { state: 'failed' }) })).toBeNull()
  expect(queue.get(job.id)?.state).toBe('done')
  expect(events.after(0, 100).map((each) => [each.id, each.kind, each.job])).toEqual([
    [1, 'agent.created', null],
    [2, 'job.queued', job.id],
    [3, 'job.started', job.id],
    [4, 'job.waiting', job.id],
    [5, 'job.running', job.id],
    [6, 'job.ended', job.id],
  ])
  expect([events.first, events.last]).toEqual([1, 6])
  events.keep(2, 100)
  expect([events.first, events.last]).toEqual([5, 6])
  events.keep(0, 100)
  expect([events.first, events.last]).toEqual([7, 6])
})

test('usage of jobs is summed by agent, model and day, and is kept when the jobs are deleted', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents, usage } = store
  const agent = agents.create({ name: 'one', agent: 'claude' }, null)
  const run = async (more: Partial<JobResult>) => {
    const { job } = queue.put({ ...plainJob, agent: agent.id })
    queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, [])
    queue.end(job.id, { result: { ...resultOf(job.id), ...more } })
    queue.end(job.id, { result: { ...resultOf(job.id), ...more } })
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
  const { jobs: queue } = store
  const first = queue.put({ ...plainJob, idempotencyKey: 'k' })
  expect(queue.put({ ...plainJob, idempotencyKey: 'k' })).toEqual({ job: first.job, isNew: false })
  expect(() => queue.put({ ...plainJob, prompt: 'other', idempotencyKey: 'k' })).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
  expect(queue.put({ ...plainJob, requestedBy: 'another', idempotencyKey: 'k' }).isNew).toBe(true)
})

test('a job for any agent goes to one that has all of its labels, in the order of all jobs', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const [docs, plain] = ['docs', 'plain'].map((name) => agents.create({ name, agent: 'command', command: ['true'] }, null))
  const [labelled, own, free] = [
    queue.put({ ...plainJob, labels: ['docs', 'fast'] }),
    queue.put({ ...plainJob, agent: plain?.id ?? '' }),
    queue.put(plainJob),
  ]
  expect(queue.wanted()).toEqual({ agents: [plain?.id], any: true })
  expect(queue.claim({ id: plain?.id ?? '', labels: ['docs'], adapter: 'command' }, [])?.id).toBe(own.job.id)
  expect(queue.claim({ id: docs?.id ?? '', labels: ['docs', 'fast', 'more'], adapter: 'command' }, [])?.id).toBe(labelled.job.id)
  expect(queue.claim({ id: docs?.id ?? '', labels: ['docs'], adapter: 'command' }, [1])?.id).toBe(free.job.id)
  // After it is given back, the job for any agent can go to another agent, and keeps its place.
  queue.giveBack(labelled.job.id)
  expect(queue.get(labelled.job.id)).toMatchObject({ agent: null, state: 'queued', slot: null, startedAt: null })
  queue.giveBack(own.job.id, Date.now() + 60_000)
  expect(queue.claim({ id: plain?.id ?? '', labels: [], adapter: 'command' }, [])).toBeNull()
  expect(queue.claim({ id: plain?.id ?? '', labels: ['docs', 'fast'], adapter: 'command' }, [])?.id).toBe(labelled.job.id)
})

test('a queued job that is cancelled is over, and one that runs is asked to end', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  const [one, two] = [queue.put({ ...plainJob, agent: agent.id }), queue.put({ ...plainJob, agent: agent.id })]
  queue.claim({ id: agent.id, labels: [], adapter: 'command' }, [])
  expect(queue.cancel(one.job.id)).toMatchObject({ state: 'running', cancelAsked: true })
  expect(queue.cancel(one.job.id)).toMatchObject({ state: 'running', cancelAsked: true })
  expect(queue.cancel(two.job.id)).toMatchObject({ state: 'cancelled' })
  expect(queue.cancel(two.job.id)).toBeNull()
  expect(queue.list({ state: 'cancelled' }, { before: null, limit: 10 }).map((each) => each.id)).toEqual([two.job.id])
})

test('lists go backwards by number, whole or by agent and state', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  for (let index = 0; index < 5; index += 1) queue.put({ ...plainJob, agent: index % 2 === 0 ? agent.id : null })
  const numbers = (...args: Parameters<typeof queue.list>) => queue.list(...args).map((each) => each.number)
  expect(numbers({}, { before: null, limit: 3 })).toEqual([5, 4, 3])
  expect(numbers({}, { before: 3, limit: 3 })).toEqual([2, 1])
  expect(numbers({ agent: agent.id, state: 'queued' }, { before: null, limit: 9 })).toEqual([5, 3, 1])
})

test('a job that continues another waits for the slot of that one, while others go on', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'claude', parallel: 2 }, null)
  const claimant = { id: agent.id, labels: [], adapter: 'claude' }
  const give = async (continues: string | null = null) =>
    queue.put({ ...plainJob, agent: agent.id, continues, conversation: continues === null ? null : 'c-1' }).job
  const [first, second] = [await give(), await give()]
  expect([queue.claim(claimant, [])?.slot, queue.claim(claimant, [1])?.slot]).toEqual([1, 2])
  queue.end(second.id, { result: resultOf(second.id) })
  const [next, other] = [await give(second.id), await give()]
  expect(next).toMatchObject({ slot: 2, adapter: 'claude' })
  expect(queue.claim(claimant, [2])?.id).toBe(other.id)
  expect(queue.claim(claimant, [1, 2])).toBeNull()
  queue.end(first.id, { result: resultOf(first.id) })
  expect(queue.claim(claimant, [1])).toMatchObject({ id: next.id, slot: 2 })
  queue.giveBack(next.id)
  expect(queue.get(next.id)).toMatchObject({ state: 'queued', slot: 2, adapter: 'claude' })
})

test('a message begins when the job before it has ended, in its slot and conversation, and messages keep their order', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'claude', parallel: 3 }, null)
  const claim = (...used: number[]) => queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, used)?.id ?? null
  const say = async (continues: string, prompt: string) =>
    queue.put({ ...plainJob, agent: agent.id, continues, prompt, isMessage: true, idempotencyKey: prompt }).job
  const { job } = queue.put({ ...plainJob, agent: agent.id })
  claim()
  const [first, second, third] = [await say(job.id, '1'), await say(job.id, '2'), await say(job.id, '3')]
  expect([first.continues, second.continues, third.continues]).toEqual([job.id, first.id, second.id])
  expect((await say(job.id, '2')).id).toBe(second.id)
  expect(claim(1)).toBeNull()
  expect(queue.change(third.id, 'another')?.promptStart).toBe('another')
  expect(queue.prompt(third.id)).toBe('another')
  expect(queue.change(job.id, 'too late')).toBeNull()
  // A withdrawn message is removed from the conversation.
  queue.cancel(second.id)
  expect(queue.get(third.id)?.continues).toBe(first.id)
  queue.end(job.id, { result: resultOf(job.id) })
  expect(claim()).toBe(first.id)
  expect(queue.get(first.id)).toMatchObject({ slot: 1, conversation: 'c-1', adapter: 'claude' })
  expect(claim(1)).toBeNull()
  queue.end(first.id, { result: { ...resultOf(first.id), conversation: 'c-2' } })
  expect((await say(job.id, '4')).continues).toBe(third.id)
  expect(claim()).toBe(third.id)
  expect(queue.get(third.id)).toMatchObject({ slot: 1, conversation: 'c-2' })
})

test('a message to a lost job goes to the one that follows it', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'claude' }, null)
  const { job } = queue.put({ ...plainJob, agent: agent.id })
  queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, [])
  const message = queue.put({ ...plainJob, agent: agent.id, continues: job.id, isMessage: true })
  const next = queue.put({ ...plainJob, agent: agent.id, continues: job.id, conversation: 'c-1', attempt: 2 })
  queue.end(job.id, { state: 'interrupted', problem: 'It was lost.' })
  expect(queue.get(message.job.id)?.continues).toBe(next.job.id)
  expect(queue.claim({ id: agent.id, labels: [], adapter: 'claude' }, [])?.id).toBe(next.job.id)
})
