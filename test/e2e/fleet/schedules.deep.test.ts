import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ordinary } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

describe.each(ordinary)('schedules and a server that is killed, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
    await fleet.api.POST('/api/v1/agents', {
      body: { manifest: { name: 'echo', agent: 'command', command: ['sh', '-c', 'cat > seen.txt'], egress: { policy: 'off' } } },
    })
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  test('a job that was due while the server was down is given once when the next one starts', async () => {
    const { data } = await fleet.api.POST('/api/v1/schedules', {
      body: { name: 'each', agent: 'echo', cron: '* * * * *', zone: 'UTC', prompt: 'due', missed: 'once', overlap: 'queue' },
    })
    // Waits until the minute is over, by the machine's clock, which the test cannot change.
    const due = Date.parse(data?.next[0] ?? '')
    await fleet.kill('SIGKILL')
    await setTimeout(Math.max(0, due - Date.now()) + 200)
    await fleet.start()
    const jobs = async () =>
      (await fleet.api.GET('/api/v1/jobs', { params: { query: { agent: 'echo' } } })).data?.items.filter(
        (each) => each.requestedBy === 'schedule each',
      ) ?? []
    while ((await jobs()).length === 0) await setTimeout(50)
    await fleet.replace()
    await setTimeout(500)
    // Meanwhile the next minute may have started.
    const times = Math.floor((Date.now() - due) / 60_000) + 1
    expect((await jobs()).length).toBeLessThanOrEqual(times)
  })
})
