import { describe, expect, test } from 'vitest'
import { promisedUnder, type Verification } from '../../../src/guarantees/verify.ts'
import { both, isLab, makeStage, ordinary, paddock } from '../../support/cli.ts'
import { onlyOfEgress } from '../../support/of-egress.ts'

// test/e2e/fleet/verify.deep.test.ts tries all of them as root, under `off`.
describe.each(isLab ? both : ordinary)('paddock verify, as %s', { timeout: 900_000 }, (who) => {
  test('finds every guarantee of egress allowlist held', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['verify', '--json'])
    expect(ran.stderr).toBe('')
    const told = JSON.parse(ran.stdout) as Verification
    expect(told.guarantees.filter((each) => each.status !== 'held')).toEqual([])
    expect(told).toMatchObject({ schemaVersion: 1, posture: 'L2', backend: 'bubblewrap', egress: 'allowlist' })
    expect(told.guarantees.map((each) => each.id)).toEqual(promisedUnder('allowlist').map((each) => each.id))
    for (const each of told.guarantees) {
      expect(Object.keys(each).sort()).toEqual([
        'chapter',
        'claim',
        'durationMs',
        'evidence',
        'fails',
        'id',
        'kind',
        'mechanism',
        'status',
        'why',
      ])
      expect(each.evidence.length, each.id).toBeGreaterThan(20)
    }
    expect(ran.code).toBe(0)
    const shown = await paddock(stage, ['posture', 'compare'])
    expect(shown.stdout).toMatch(/^home-absent +not promised +held$/m)
    const recorded = await paddock(stage, ['verify', '--recorded'])
    expect(recorded.stdout).toMatch(/^L1 bubblewrap\n {2}never verified here: paddock verify --posture L1$/m)
    expect(recorded.stdout).toMatch(
      new RegExp(`^L2 bubblewrap ${who}\\n {2}[\\d-]{10} · egress allowlist · paddock [\\d.]+ · bubblewrap [\\d.]+ · `, 'm'),
    )
    expect(recorded.stdout).toMatch(/^home-absent +not promised +held$/m)
  })

  test('finds every guarantee of L1 held', async () => {
    using stage = makeStage(who)
    // All of them in the lab, and here those with the most to do with the files of the host.
    const ofHost = [
      'host-view-leads-nowhere',
      'credentials-absent',
      'own-files-absent',
      'host-sockets-absent',
      'system-read-only',
      'owner-kept',
    ]
    const only = isLab ? [] : ofHost.flatMap((each) => ['--only', each])
    const ran = await paddock(stage, ['verify', '--posture', 'L1', ...only, '--json'])
    expect(ran.stderr).toBe('')
    const told = JSON.parse(ran.stdout) as Verification
    expect(told.guarantees.filter((each) => each.status !== 'held')).toEqual([])
    expect(told.posture).toBe('L1')
    const promised = promisedUnder('allowlist', 'L1').map((each) => each.id)
    expect(told.guarantees.map((each) => each.id)).toEqual(isLab ? promised : promised.filter((each) => ofHost.includes(each)))
    expect(ran.code).toBe(0)
  })

  // With a real network, probes may send packets if
  // something is broken: test/guarantees/in-lab.deep.test.ts runs those.
  test('finds the guarantees of the network held under egress off', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['verify', '--egress', 'off', ...onlyOfEgress('off'), '--json'])
    expect(ran.stderr).toBe('')
    const told = JSON.parse(ran.stdout) as Verification
    expect(told.guarantees.filter((each) => each.status !== 'held')).toEqual([])
    expect(told.guarantees.length).toBeGreaterThan(5)
    expect(ran.code).toBe(0)
  })
})
