import { expect, test } from 'vitest'
import { statusLines } from '../../../src/cli/contest/contest-lines.ts'
import { Layout } from '../../../src/contest/config/contest-layout.ts'
import { cancelled, startFailed } from '../../../src/contest/run/outcome-of-run.ts'
import { contestLock } from '../../../src/contest/state/contest-lock.ts'
import { openJournal } from '../../../src/contest/state/contest-state.ts'
import type { Outcome } from '../../../src/contest/state/participant-outcome.ts'
import { contestStatus } from '../../../src/contest/state/task-state.ts'
import { takeLock } from '../../../src/files/lock.ts'
import { openBench, writeContest } from '../../support/contest-bench.ts'

test('6: contest status says "running" only while a process works on the contest', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'true' }, {}, { judges: [], checks: [{ name: 'runs', command: 'true' }] })
  const layout = new Layout(bench.contest)
  const about = { contest: 'trial', fingerprint: '', participants: [{ name: 'one' }], judges: [] }
  await using journal = await openJournal(layout, about, { now: bench.deps.now, fresh: false })
  await journal.setParticipant('one', { state: 'running', attempt: 1 })
  const shown = async () => {
    const { contest, status, atWork } = await contestStatus(bench.contest, bench.deps.paths)
    return { atWork, line: statusLines(contest.config, status, atWork)[2]?.trim() }
  }
  expect(await shown()).toEqual({ atWork: false, line: 'one  interrupted' })
  using _lock = await takeLock({ file: await contestLock(layout, bench.deps.paths), what: 'The contest', command: 'a test' })
  expect(await shown()).toEqual({ atWork: true, line: 'one  running' })
})

test('6: contest status says "interrupted" for work that a signal ended', async () => {
  await using bench = await openBench()
  await writeContest(bench, { one: 'true' }, {}, { judges: [], checks: [{ name: 'runs', command: 'true' }] })
  const about = { contest: 'trial', fingerprint: '', participants: [{ name: 'one' }], judges: [] }
  await using journal = await openJournal(new Layout(bench.contest), about, { now: bench.deps.now, fresh: false })
  const { config } = await contestStatus(bench.contest, bench.deps.paths).then((each) => each.contest)
  const line = async (outcome: Outcome, atWork = false): Promise<string | undefined> => {
    await journal.setParticipant('one', { state: 'ended', attempt: 1, outcome, durationMs: 3_000 })
    return statusLines(config, journal.status, atWork)[2]?.trim()
  }
  expect(await line(cancelled())).toMatch(/^one {2}interrupted {2}cancelled/)
  expect(await line(cancelled(), true)).toMatch(/^one {2}ended {2}cancelled/)
  expect(await line(startFailed('no', null))).toMatch(/^one {2}ended {2}start-failed/)
})
