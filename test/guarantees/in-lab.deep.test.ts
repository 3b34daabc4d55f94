import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Verification } from '../../src/guarantees/verify.ts'
import { both, makeStage, needsRoot } from '../support/cli.ts'
import { openInternetLab } from '../support/lab/lab.ts'
import { onlyOfEgress } from '../support/of-egress.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

describe('on a machine with an internet', () => {
  needsRoot('the lab is made of network namespaces and devices of its own')
  test.each(both.flatMap((who) => (['public', 'open'] as const).map((egress) => [who, egress] as const)))(
    'paddock verify as %s finds the guarantees of the network held under egress %s',
    async (who, egress) => {
      await using lab = await openInternetLab()
      using stage = makeStage(who)
      const ran = await lab.paddock(stage, ['verify', '--egress', egress, ...onlyOfEgress(egress), '--json'])
      expect(ran.stderr).toBe('')
      const told = JSON.parse(ran.stdout) as Verification
      expect(told.guarantees.filter((each) => each.status !== 'held')).toEqual([])
      expect(told.guarantees.length).toBeGreaterThan(5)
      expect(ran.code).toBe(0)
    },
  )

  test('probes see the packet filter broken', async () => {
    await using lab = await openInternetLab()
    const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
    const ran = await lab.run([process.execPath, vitest, 'run', '--config', 'vitest.lab.config.ts', '--reporter', 'json'], {
      cwd: checkout,
    })
    const told = JSON.parse(ran.stdout) as { numPassedTests: number; numTotalTests: number; testResults: unknown }
    expect(told.numPassedTests, JSON.stringify(told.testResults)).toBe(told.numTotalTests)
    expect(told.numTotalTests).toBe(4)
  })
})
