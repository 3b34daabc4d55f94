import { describe, expect, test } from 'vitest'
import { promisedUnder, type Verification } from '../../src/guarantees/verify.ts'
import { both, makeStage, paddock } from '../support/cli.ts'

describe.each(both)('paddock verify, as %s', (who) => {
  // With a real network, probes may send packets if something is broken: test/guarantees/in-lab.deep.test.ts runs those.
  test.each(['allowlist', 'off'] as const)('finds every guarantee of egress %s held', async (egress) => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['verify', '--egress', egress, '--json'])
    expect(ran.stderr).toBe('')
    const told = JSON.parse(ran.stdout) as Verification
    expect(told.guarantees.filter((each) => each.status !== 'held')).toEqual([])
    expect(told).toMatchObject({ schemaVersion: 1, posture: 'L2', backend: 'bubblewrap', egress })
    expect(told.guarantees.map((each) => each.id)).toEqual(promisedUnder(egress).map((each) => each.id))
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
  })
})
