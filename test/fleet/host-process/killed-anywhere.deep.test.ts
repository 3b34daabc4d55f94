import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newId } from '../../../src/fleet/ids.ts'
import { until } from '../../support/processes.ts'
import { hostStage } from './host-stage.ts'

test('a host process that is killed at any moment never makes a job run twice, and loses none that it did not accept', async () => {
  await using at = hostStage()
  for (let round = 0; round < 30; round++) {
    const job = newId('job')
    const command = ['sh', '-c', `echo x >> runs-${job}; sleep 0.05; echo done`]
    const first = await at.start()
    at.run(first, command, { job })
    await pause(round * 10)
    await at.kill(first.hello.pid)
    await first.closed
    const wasAccepted = at.frames.some((each) => each.type === 'accepted')
    const second = await at.start()
    at.run(second, command, { job })
    await until(() => at.frames.some((each) => each.type === 'ended' || (each.type === 'state' && each.state === 'interrupted')))
    const isOver = existsSync(at.data.job(job).result)
    const runs = path.join(at.data.slot(1).work, `runs-${job}`)
    const count = existsSync(runs) ? readFileSync(runs, 'utf8').length / 2 : 0
    expect(count, `round ${round}`).toBeLessThanOrEqual(1)
    if (isOver) expect(count).toBe(1)
    if (!wasAccepted && !existsSync(at.data.job(job).accepted)) throw new Error('it was neither accepted before nor now')
    if (existsSync(at.data.job(job).transcript))
      expect(at.events(job).map((each) => each['n'])).toEqual(at.events(job).map((_, n) => n + 1))
    await at.kill(second.hello.pid)
    await second.closed
  }
})
