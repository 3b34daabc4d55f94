import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

describe.each(everyone)('schedules, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
    await fleet.api.POST('/api/v1/agents', {
      body: { manifest: { name: 'echo', agent: 'command', command: ['sh', '-c', 'cat > seen.txt'], egress: { policy: 'off' } } },
    })
  })
  afterAll(() => fleet[Symbol.asyncDispose]())
  const schedule = (words: readonly string[]) => paddock(fleet.stage, ['schedule', ...words, '--data', fleet.data])

  test('are made, shown, paused, run and deleted from the command line', async () => {
    const wish = ['nightly', '--agent', 'echo', '--cron', '30 2 * * *', '--zone', 'Europe/Berlin', '--prompt', 'look\nat it']
    const made = await schedule(['create', ...wish])
    expect([made.code, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^nightly runs on echo; next run: 20\d\d-\d\d-\d\d 02:30 Europe\/Berlin\n$/),
    ])
    const again = await schedule(['create', ...wish])
    expect([again.code, again.stderr]).toEqual([
      1,
      'paddock: CONFLICT: There is a schedule named nightly already.\n  hint: Run: paddock schedule show nightly\n',
    ])
    expect((await schedule(['list'])).stdout).toMatch(
      /^NAME +AGENT +CRON +ZONE +NEXT +LAST PROBLEM\nnightly +echo +30 2 \* \* \* +Europe\/Berlin +20.*-\n$/,
    )
    const shown = (await schedule(['show', 'nightly'])).stdout
    expect(shown).toMatch(/^name {6}nightly\n/)
    expect(shown.match(/^ {2}20.* 02:30 Europe\/Berlin$/gm)).toHaveLength(5)
    expect((await schedule(['pause', 'nightly'])).stdout).toBe('nightly runs on echo; next run: paused\n')
    expect((await schedule(['resume', 'nightly'])).code).toBe(0)
    const id = (await schedule(['run', 'nightly'])).stdout.trim()
    const job = async () => (await fleet.api.GET('/api/v1/jobs/{job}', { params: { path: { job: id } } })).data
    while ((await job())?.endedAt === null) await setTimeout(20)
    expect(await job()).toMatchObject({ state: 'done', prompt: 'look\nat it', requestedBy: 'schedule nightly' })
    const wrong = await schedule(['edit', 'nightly', '--agent', 'echo', '--cron', '99 * * * *', '--prompt', 'x'])
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^paddock: BAD_INPUT: 99 \* \* \* \* is not a cron pattern: .*\n {2}hint: Give five fields/),
    ])
    expect((await schedule(['delete', 'nightly'])).code).toBe(0)
    expect((await schedule(['show', 'nightly'])).code).toBe(2)
  })
})
