import { expect, test } from 'vitest'
import type { JobResult } from '../../../src/fleet/jobs/job.ts'
import { admissionTo } from '../../../src/fleet/leases/admission.ts'
import { leaseProblem } from '../../../src/fleet/leases/lease-problem.ts'
import { runLeases } from '../../../src/fleet/leases/lease-runner.ts'
import { type LeaseWish, termsOf } from '../../../src/fleet/leases/terms.ts'
import type { Manifest } from '../../../src/fleet/manifest/manifest-schema.ts'
import type { Agent } from '../../../src/fleet/store/agent-store.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'
import { resultOf as plainResult } from '../../support/job-result.ts'

const at = Date.parse('2026-01-01T00:00:00Z')
const command: Manifest = { name: 'one', agent: 'command', command: ['true'] }
const far = '2999-01-01T00:00:00.000Z'

const resultOf = (job: string, over: Partial<JobResult> = {}): JobResult =>
  plainResult(job, { usage: { input: 30, output: 4, cachedInput: 0, model: null }, turns: 2, cellMs: 1_000, conversation: null, ...over })

test("usage of a lease's jobs is summed when they end, and messages to them belong to the lease", async () => {
  using store = await openTestStore()
  const { jobs: queue, agents, leases } = store
  const agent = agents.create(command, null)
  const { lease, secret } = leases.create({ name: 'bob', agent: agent.id, expiresAt: far, budget: { usd: 1 } })
  expect(store.tokens.check(secret)).toMatchObject({ role: 'borrower', lease: lease.id, name: 'lease-bob', expiresAt: far })
  const claimant = { id: agent.id, labels: [], adapter: 'command' }
  for (const spent of [0.5, 1]) {
    const { job } = queue.put({ ...plainJob, agent: agent.id, lease: lease.id })
    const message = queue.put({ ...plainJob, agent: agent.id, continues: job.id, isMessage: true })
    expect([job.lease, message.job.lease]).toEqual([lease.id, lease.id])
    expect(queue.claim(claimant, [], [lease.id])).toBeNull()
    expect(queue.claim(claimant, [])?.id).toBe(job.id)
    expect(leaseProblem(leases.get(lease.id), agent, at)).toBeNull()
    queue.end(job.id, { result: resultOf(job.id, { state: 'failed' }) })
    queue.end(job.id, { result: resultOf(job.id) })
    expect(leases.get(lease.id)?.spent.usd).toBe(spent)
    queue.cancel(message.job.id)
  }
  expect(leases.get(lease.id)?.spent).toEqual({ turns: 4, tokens: 68, usd: 1, time: 2_000 })
  expect(leaseProblem(leases.get(lease.id), agent, at)).toBe('The budget of the lease (1 of 1 USD) is used up.')
  expect(queue.list({ lease: lease.id }, { before: null, limit: 10 }).length).toBe(4)
  expect(queue.list({ lease: 'l-other' }, { before: null, limit: 10 })).toEqual([])
})

test('a lease remembers its own jobs, and the agent its own', async () => {
  using store = await openTestStore()
  const agent = store.agents.create(command, null)
  const { lease } = store.leases.create({ name: 'bob', agent: agent.id, expiresAt: far })
  store.episodes.add(agent.id, null, resultOf('j-1'), 'of the owner')
  store.episodes.add(agent.id, lease.id, resultOf('j-2'), 'of bob')
  expect(store.episodes.list(agent.id, 9).map(({ prompt }) => prompt)).toEqual(['of the owner'])
  expect(store.episodes.list(agent.id, 9, lease.id).map(({ prompt }) => prompt)).toEqual(['of bob'])
  // Many episodes of a borrower do not displace those of the owner.
  for (let n = 0; n < 250; n++)
    store.episodes.add(agent.id, lease.id, resultOf(`j-b${n}`, { endedAt: new Date(at + n * 1_000).toISOString() }), `${n}`)
  expect(store.episodes.list(agent.id, 999).length).toBe(1)
  expect(store.episodes.list(agent.id, 999, lease.id).length).toBe(200)
  const heir = store.agents.create({ ...command, name: 'heir' }, null)
  store.episodes.inherit(heir.id, agent)
  expect(store.episodes.list(heir.id, 9).map(({ prompt }) => prompt)).toEqual(['of the owner'])
})

test('a lease ends when it is revoked, when its token is, and when it expires; its jobs are cancelled, and its name is free again', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents, leases, tokens, events } = store
  const agent = agents.create(command, null)
  const terms = { agent: agent.id, expiresAt: far }
  let now = at
  const ended: string[] = []
  const below: string[] = []
  using runner = runLeases({
    leases,
    jobs: queue,
    events,
    cancel: queue.cancel,
    cancelBelow: (job) => void below.push(job),
    onEnd: ({ name }) => void ended.push(name),
    warn: (message) => void ended.push(message),
    now: () => now,
  })
  const short = leases.create({ ...terms, name: 'short', expiresAt: '2026-01-01T01:00:00.000Z' }).lease
  const first = leases.create({ ...terms, name: 'bob' }).lease
  const given = queue.put({ ...plainJob, agent: agent.id, lease: first.id })
  const other = queue.put({ ...plainJob, agent: agent.id, lease: short.id })
  expect(() => leases.create({ ...terms, name: 'bob' })).toThrow('There is a lease named bob already.')
  runner.look()
  expect(ended).toEqual([])
  expect(leases.revoke(first.id).revokedAt).not.toBeNull()
  runner.look()
  expect([ended, queue.get(given.job.id)?.state]).toEqual([['bob'], 'cancelled'])
  expect(leases.get(first.id)?.endedAt).not.toBeNull()
  const second = leases.create({ ...terms, name: 'bob' }).lease
  expect([leases.find('bob').id, leases.find(first.id).id]).toEqual([second.id, first.id])
  tokens.revoke('lease-bob')
  expect(leaseProblem(leases.get(second.id), agent, now)).toBe('The lease was revoked.')
  now = Date.parse('2026-01-01T01:00:00Z')
  expect(leaseProblem(leases.get(short.id), agent, now)).toBe('The lease has expired.')
  runner.look()
  expect(ended.slice(1).sort()).toEqual(['bob', 'short'])
  expect(queue.get(other.job.id)?.state).toBe('cancelled')
  expect(leases.list().every(({ endedAt }) => endedAt !== null)).toBe(true)
  expect(tokens.list().every(({ revokedAt }) => revokedAt !== null)).toBe(true)
  expect(leases.create({ ...terms, name: 'short' }).lease.name).toBe('short')
  expect(events.after(0, 100).filter(({ kind }) => kind === 'lease.ended').length).toBe(3)
})

test('terms name what cannot be: the past, tools that the agent lacks, a project of the owner', async () => {
  using store = await openTestStore()
  const agent = store.agents.create(command, null)
  const model = store.agents.create({ ...command, name: 'model', kind: 'model', tools: ['bash', 'ask file_write'] }, null)
  const own = store.agents.create({ ...command, name: 'own', workspace: { project: '/srv' } }, null)
  const wish = { name: 'bob', agent: 'one', expires: '7d' }
  expect(termsOf(wish, agent, at)).toEqual({ name: 'bob', agent: agent.id, expiresAt: '2026-01-08T00:00:00.000Z' })
  expect(termsOf({ ...wish, expires: '2026-03-01T12:00:00+02:00' }, agent, at).expiresAt).toBe('2026-03-01T10:00:00.000Z')
  expect(termsOf({ ...wish, tools: ['file_write'] }, model, at).tools).toEqual(['file_write'])
  const wrong: readonly (readonly [Partial<LeaseWish>, Agent, string])[] = [
    [{ expires: '2025-12-31T23:59:59Z' }, agent, 'is in the past'],
    [{ expires: 'tomorrow' }, agent, 'neither a duration nor a time'],
    [{ expires: '367d' }, agent, 'more than 366 days away'],
    [{ tools: ['bash'] }, agent, 'body.tools.0: bash is not a tool of'],
    [{ tools: ['bash', 'http'] }, model, 'body.tools.1: http is not a tool of model.'],
    [{}, own, 'a project of yours'],
  ]
  for (const [more, from, message] of wrong) expect(() => termsOf({ ...wish, ...more }, from, at)).toThrow(message)
})

test('every text passes the topics; only an owner sees the pattern, which is in the audit log', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents, leases, events, database } = store
  const agent = agents.create({ ...command, labels: ['any'], topics: { deny: ['quince'] } }, null)
  const { lease } = leases.create({ name: 'bob', agent: agent.id, expiresAt: far, topics: { allow: ['sloe'] } })
  const audited: unknown[] = []
  const admission = admissionTo({
    ...{ database, agents, jobs: queue, leases, events, now: () => at },
    audit: ({ kind, actor, data }) => void audited.push([kind, actor, data['why']]),
  })
  const job = { ...plainJob, agent: agent.id, prompt: 'a sloe' }
  const [bob, owner] = [
    { name: 'lease-bob', role: 'borrower', lease: lease.id } as const,
    { name: 'me', role: 'owner', lease: null } as const,
  ]
  admission.admit({ ...job, lease: lease.id }, { sender: bob })
  expect(() => admission.admit({ ...job, prompt: 'a plum', lease: lease.id }, { sender: bob })).toThrow(
    expect.objectContaining({
      code: 'TOPIC_REFUSED',
      message: 'The topics of the lease refuse this text.',
    }),
  )
  // The owner is not restricted by the topics of the lease.
  admission.admit({ ...job, prompt: 'a plum', lease: lease.id }, { sender: owner })
  for (const wish of [job, { ...job, agent: null }, { ...job, agent: null, labels: ['any'] }])
    expect(() => admission.admit({ ...wish, prompt: 'a Quince' }, { sender: owner })).toThrow(
      'The topics of the agent refuse this text: deny has quince.',
    )
  admission.admit({ ...job, agent: null, labels: ['other'], prompt: 'a quince' }, {})
  expect(() => admission.admit({ ...job, prompt: 'a quince' }, {})).toThrow(/refuse this text\.$/)
  expect(() => admission.admit(job, { text: 'what a quince' })).toThrow(/refuse this text\.$/)
  const { job: given } = queue.put(job)
  expect(() => admission.admitChange(given, 'a quince', { sender: { name: 'op', role: 'operator', lease: null } })).toThrow(
    /refuse this text\.$/,
  )
  expect(audited[0]).toEqual(['fleet.topic', 'lease-bob', 'The topics of the lease: nothing in allow matches it (sloe)'])
  expect(audited.length).toBe(7)
  const told = events.after(0, 100).filter(({ kind }) => kind === 'topic.refused')
  expect(told.length).toBe(7)
  expect(JSON.stringify(told)).not.toContain('quince')
})

test('a lease that was edited away, is used up or has enough jobs that wait takes no more', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents, leases, events, database } = store
  const agent = agents.create(command, null)
  const { lease } = leases.create({ name: 'bob', agent: agent.id, expiresAt: far })
  const admission = admissionTo({ database, agents, jobs: queue, leases, events, audit: () => undefined, now: () => at })
  const job = { ...plainJob, agent: agent.id, lease: lease.id }
  for (let n = 0; n < 50; n++) queue.put(job)
  expect(() => admission.admit(job, {})).toThrow(
    expect.objectContaining({
      code: 'CONFLICT',
      message: expect.stringContaining('50 jobs of the lease'),
    }),
  )
  admission.admit({ ...job, lease: null }, {})
  const edited = agents.edit(agent.id, { ...command, workspace: { project: '/srv' } }, 1, null)
  expect(leaseProblem(lease, edited, at)).toBe('The agent works in a project of its owner, which cannot be lent.')
  expect(leaseProblem(null, agent, at)).toBe('The lease does not exist any more.')
  agents.remove(agent.id)
  expect(leases.get(lease.id)).toBeNull()
})
