import { afterEach, describe, expect, test } from 'vitest'
import { restore, type Sabotage } from './sabotages/sabotage.ts'
import { verifyOne } from './verify-one.ts'

/** Adds one test for each sabotage: its probe reports broken, for the right reason. */
export function seesItBroken(sabotages: readonly Sabotage[]): void {
  describe('a probe sees its mechanism broken', () => {
    afterEach(restore)
    test.each(sabotages)('$id, without $without', async (sabotage) => {
      restore()
      sabotage.break()
      const found = await verifyOne(sabotage.id, sabotage.egress ?? 'allowlist', sabotage.nodeOptions, sabotage.posture)
      expect(found, sabotage.id).toMatchObject({ status: 'broken' })
      expect(found?.evidence).not.toMatch(/the probe could not be run/)
      if (sabotage.evidence !== undefined) expect(found?.evidence).toMatch(sabotage.evidence)
    })
  })
}
