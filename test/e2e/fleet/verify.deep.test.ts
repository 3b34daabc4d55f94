import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyone, paddock } from '../../support/cli.ts'
import { type FleetServer, startFleet } from '../../support/fleet-server.ts'

describe.each(everyone)('guarantees that the API tries on its machine, as %s', (who) => {
  let fleet: FleetServer
  beforeAll(async () => {
    fleet = await startFleet(who)
  })
  afterAll(() => fleet[Symbol.asyncDispose]())

  test('every guarantee is tried in real cells, once at a time, and the result is kept', async () => {
    const verify = () => fleet.api.POST('/api/v1/guarantees/verify', { body: { egress: 'off' } })
    expect((await verify()).response.status).toBe(202)
    expect((await verify()).response.status).toBe(409)
    const seen = async () => (await fleet.api.GET('/api/v1/guarantees')).data
    while ((await seen())?.state === 'running') await setTimeout(500)
    const done = await seen()
    expect(done).toMatchObject({ state: 'done', problem: null, result: { egress: 'off' } })
    expect(done?.result?.guarantees.filter((each) => each.status === 'broken')).toEqual([])
    expect(done?.result?.guarantees.some((each) => each.status === 'held')).toBe(true)
  })

  test('ten wrong passphrases are enough for a minute', async () => {
    expect((await paddock(fleet.stage, ['vault', 'init'], { input: 'correct horse battery staple\n' })).code).toBe(0)
    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries++)
      statuses.push((await fleet.api.POST('/api/v1/vault/unlock', { body: { passphrase: `wrong ${tries}`, for: '1h' } })).response.status)
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.filter((each) => each === 403).length).toBeLessThanOrEqual(10)
  })
})
