import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JobResult } from '../../../src/fleet/jobs/job.ts'
import { listedResult } from '../../../src/fleet/jobs/listed-job.ts'
import { openTestStore, plainJob } from '../../support/fleet-store.ts'

const paths = Array.from({ length: 1_000 }, (_, index) => `${'deep/'.repeat(20)}${index}`)
const git = {
  ...{ workTree: '.', branchBefore: 'main', branchAfter: 'main', headBefore: 'a', headAfter: 'b', commitCount: 100, stashes: 0 },
  commits: Array.from({ length: 100 }, () => ({ hash: 'b', subject: 's', protected: [] })),
  inProgress: null,
}
const resultOf = (job: string): JobResult => ({
  ...{ schemaVersion: 1, job, state: 'done', text: `${'x'.repeat(999)}😀`.repeat(60), usage: null, costUsd: null, toolCalls: 0, turns: 0 },
  outcome: { kind: 'ran', exitCode: 0, message: null, hint: null, resetsAt: null },
  ...{ cellMs: 0, startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:01.000Z', conversation: 'c-1' },
  changes: {
    ...{ created: paths, modified: paths, deleted: ['old'], truncated: true, git: [git] },
    renamed: [{ from: 'a', to: 'b' }],
    runsLater: paths.map((each) => ({ path: each, why: 'git runs it' })),
  },
  ...{ copy: null, worktree: null, notes: paths },
})

test('a list has the start of each result, and the job itself has all of it', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const agent = agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
  const { job } = queue.put({ ...plainJob, agent: agent.id })
  queue.claim({ id: agent.id, labels: [], adapter: 'command' }, [])
  queue.end(job.id, { result: resultOf(job.id) })
  const [listed] = queue.list({}, { before: null, limit: 10 })
  const result = listed?.result
  expect([result?.isShort, result?.files, result?.text.length, result?.notes.length]).toEqual([true, 2_002, 1_000, 20])
  expect(result?.text.isWellFormed()).toBe(true)
  expect(result?.changes).toMatchObject({
    created: { length: 20 },
    runsLater: { length: 20 },
    git: [{ commits: { length: 20 }, commitCount: 100 }],
  })
  expect(JSON.stringify(listed).length).toBeLessThan(16_000)
  expect(queue.get(job.id)?.result).toEqual(resultOf(job.id))
})

test('a list never has a job as it was before a change, however often it was read', async () => {
  const step = fc.record({
    act: fc.constantFrom('put', 'message', 'claim', 'note', 'change', 'giveBack', 'end', 'lose', 'cancel', 'remove', 'undo', 'delete'),
    which: fc.nat(5),
  })
  const run = async (steps: readonly { readonly act: string; readonly which: number }[]): Promise<void> => {
    using store = await openTestStore()
    const { jobs: queue, agents, database } = store
    const made = () => agents.create({ name: 'one', agent: 'command', command: ['true'] }, null)
    let agent = made()
    let ids: string[] = []
    const acts: Record<string, (id: string) => unknown> = {
      put: () => ids.push(queue.put({ ...plainJob, agent: agent.id, labels: ['a'] }).job.id),
      message: (id) => ids.push(queue.put({ ...plainJob, agent: agent.id, continues: id, isMessage: true }).job.id),
      claim: () => queue.claim({ id: agent.id, labels: ['a'], adapter: 'command' }, []),
      note: (id) => queue.note(id, 'waiting', 'for a test'),
      change: (id) => queue.change(id, 'another'),
      giveBack: (id) => queue.giveBack(id),
      end: (id) => queue.end(id, { result: resultOf(id) }),
      lose: (id) => queue.end(id, { state: 'interrupted', problem: 'gone' }),
      cancel: (id) => queue.cancel(id),
      remove: (id) => queue.remove(id),
      undo(id) {
        const undone = () =>
          database.transaction(() => {
            queue.change(id, 'undone')
            queue.list({}, { before: null, limit: 100 })
            throw new Error('undone')
          })
        expect(undone).toThrow('undone')
      },
      delete() {
        agents.remove(agent.id)
        agent = made()
        ids = []
      },
    }
    for (const { act, which } of steps) {
      const id = ids[which % Math.max(1, ids.length)]
      if (id === undefined && act !== 'put') continue
      acts[act]?.(id ?? '')
      for (const limit of [100, 2]) {
        const listed = queue.list({ agent: agent.id }, { before: null, limit })
        const now = listed.map((each) => queue.get(each.id))
        expect(listed).toEqual(now.map((each) => ({ ...each, result: each?.result == null ? null : listedResult(each.result) })))
      }
      const { length } = queue.list({}, { before: null, limit: 100 })
      expect(Number(database.sql('SELECT count(*) AS jobs FROM jobs').get()?.['jobs'])).toBe(length)
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), run), { numRuns: 25 })
})

test('an unchanged job is the same object in each list, and the queued jobs of all agents are counted at once', async () => {
  using store = await openTestStore()
  const { jobs: queue, agents } = store
  const [one, other] = ['one', 'other'].map((name) => agents.create({ name, agent: 'command', command: ['true'] }, null).id) as [
    string,
    string,
  ]
  for (const agent of [one, one, other, null]) queue.put({ ...plainJob, agent })
  const list = () => queue.list({}, { before: null, limit: 10 })
  const [first] = [list(), queue.cancel(list()[3]?.id ?? '')]
  expect(list().map((each, index) => each === first[index])).toEqual([true, true, true, false])
  expect([...queue.queued()].sort()).toEqual(
    [
      [one, 1],
      [other, 1],
    ].sort(),
  )
})
