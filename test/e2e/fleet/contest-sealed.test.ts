import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { everyone, startPaddock } from '../../support/cli.ts'
import { startFleet } from '../../support/fleet-server.ts'
import { until } from '../../support/processes.ts'

test.each(everyone)('a running round is hidden under every record of its directory, as %s', async (who) => {
  await using fleet = await startFleet(who)
  const contest = fleet.stage.project
  const role = (name: string, line: string) => ({ name, agent: 'command', command: ['sh', '-c', line], family: name })
  writeFileSync(
    path.join(contest, 'contest.yaml'),
    JSON.stringify({
      schemaVersion: 1,
      name: 'sealed',
      participants: [role('one', 'cat > /dev/null; echo x > answer')],
      judges: [role('judge', 'sleep 300')],
      rubric: { scale: { min: 0, max: 5 }, dimensions: [{ id: 'quality', description: 'How good it is.' }] },
    }),
  )
  for (const each of ['BRIEF.md', 'JUDGE_BRIEF.md']) writeFileSync(path.join(contest, each), 'Write answer.\n')
  fleet.stage.own()
  const authorization = `Bearer ${await fleet.token('operator')}`
  const asks = async (id: string) =>
    await Promise.all(
      ['report', 'report.html', 'changes?participant=one'].map(async (each) => {
        const answer = await fetch(`${fleet.url}/api/v1/contests/${id}/${each}`, { headers: { authorization } })
        return [answer.status, ((await answer.text()).match(/sealed/g) ?? []).length > 0]
      }),
    )
  const hidden = [409, 409, 409].map((status) => [status, true])
  let runs = 0
  /** Waits until the next run has begun to judge. */
  const judging = async (): Promise<void> => {
    runs++
    const events = (): string => (existsSync(`${contest}/events.jsonl`) ? readFileSync(`${contest}/events.jsonl`, 'utf8') : '')
    await until(() => (events().match(/"step":"judges"/g)?.length ?? 0) >= runs)
  }
  const start = async (): Promise<string> =>
    (await fleet.api.POST('/api/v1/contests', { body: { directory: contest, retry: true } })).data?.id ?? ''
  const cancel = async (id: string): Promise<void> => {
    const params = { path: { contest: id } }
    await fleet.api.POST('/api/v1/contests/{contest}/cancel', { params })
    while ((await fleet.api.GET('/api/v1/contests/{contest}', { params })).data?.state === 'running') await setTimeout(100)
  }

  const first = await start()
  await judging()
  await cancel(first)
  const second = await start()
  await judging()
  expect(await asks(first)).toEqual(hidden)
  expect(await asks(second)).toEqual(hidden)
  await cancel(second)
  expect((await asks(first))[0]).not.toEqual([409, true])

  // A run from the command line has no record.
  const child = startPaddock(fleet.stage, ['contest', 'run', contest, '--retry', '--quiet'])
  await judging()
  expect(await asks(first)).toEqual(hidden)
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('close', resolve))
})
