import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { runContest } from '../../../src/contest/stages/run-contest.ts'
import { openJournal, readStatus } from '../../../src/contest/state/contest-state.ts'
import type { ContestEvent } from '../../../src/contest/state/progress.ts'
import { evenJudge, openBench, writeContest } from '../../support/contest-bench.ts'

const first = { judge: 'j', id: '1' }
const second = { judge: 'j', id: '2' }
const other = { judge: 'k', id: '1' }
const about = { contest: 'trial', fingerprint: '', participants: [{ name: 'one' }], judges: [{ name: 'j' }, { name: 'k' }] }

test('each task of a judging has a state of its own, which survives the process; another judging begins with pending tasks', async () => {
  await using bench = await openBench()
  const layout = new Layout(bench.contest)
  const options = { now: bench.deps.now, fresh: false }
  const onDisk = async () => (await readStatus(layout))?.tasks.map(({ judge, id, state, attempt }) => `${judge} ${id} ${state} ${attempt}`)
  {
    await using journal = await openJournal(layout, about, options)
    await journal.setTasks(1, [first, second])
    await journal.setTask(second, { state: 'scored', attempt: 2 })
    expect(await onDisk()).toEqual(['j 1 pending 0', 'j 2 scored 2'])
  }
  await using journal = await openJournal(layout, about, options)
  await journal.setTasks(1, [first, second, other])
  expect(await onDisk()).toEqual(['j 1 pending 0', 'j 2 scored 2', 'k 1 pending 0'])
  await journal.keepJudging()
  await journal.setTasks(2, [first, second])
  expect(await onDisk()).toEqual(['j 1 pending 0', 'j 2 pending 0'])
  expect(journal.status.complete).toMatchObject({ judging: 1, tasks: [first, { ...second, state: 'scored' }, other] })
})

test('status.json does not tell whose submission has which label', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'echo 1 > a', two: 'echo 2 > a' }, { judge: evenJudge(4) })
  await runContest(bench.contest, bench.deps)
  const { tasks } = JSON.parse(readFileSync(new Layout(bench.contest).status, 'utf8'))
  expect(tasks).toMatchObject([{ judge: 'judge', id: '1', state: 'scored', attempt: 1, outcome: { kind: 'ran' } }])
  expect(Object.keys(tasks[0])).not.toEqual(expect.arrayContaining([expect.stringMatching(/labels|order/)]))
})

test('a round in which nobody has started follows contest.yaml, and one in which somebody has says that it changed', async () => {
  await using bench = await openBench()
  const warned = async () => {
    const warnings: string[] = []
    const progress = (event: ContestEvent) => event.type === 'warning' && warnings.push(event.message)
    await runContest(bench.contest, { ...bench.deps, progress: (event) => void progress(event) })
    return warnings.filter((each) => each.includes('changed since this round began'))
  }
  await bench.write('BRIEF.md', 'Write a.\n')
  const config = (agent: string) =>
    JSON.stringify({
      schemaVersion: 1,
      name: 'trial',
      participants: [{ name: 'one', ...JSON.parse(agent) }],
      checks: [{ name: 'runs', command: 'true' }],
    })
  await bench.write('contest.yaml', config('{ "agent": "grok" }'))
  await expect(warned()).rejects.toMatchObject({ code: 'AGENT_NOT_INSTALLED' })
  await bench.write('contest.yaml', config('{ "agent": "command", "command": ["touch", "a"] }'))
  expect(await warned()).toEqual([])
  expect(await warned()).toEqual([])
  await bench.write('BRIEF.md', 'Write b.\n')
  expect(await warned()).toHaveLength(1)
})

test('a status of an earlier shape is refused with one sentence and a hint', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'echo 1 > a' }, { judge: evenJudge(4) })
  await runContest(bench.contest, bench.deps)
  const layout = new Layout(bench.contest)
  const { tasks: _tasks, ...rest } = JSON.parse(readFileSync(layout.status, 'utf8'))
  const text = JSON.stringify({ ...rest, schemaVersion: 1, judges: {} })
  writeFileSync(layout.status, text)
  await expect(runContest(bench.contest, bench.deps)).rejects.toMatchObject({
    code: 'FILES_FAILED',
    message: `${layout.status} is not a status that this Paddock can read.`,
    hint: expect.stringContaining('--fresh'),
  })
  expect(readFileSync(layout.status, 'utf8')).toBe(text)
})
