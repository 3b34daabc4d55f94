import { describe, expect, test } from 'vitest'
import { everyone, makeStage, paddock } from '../../support/cli.ts'

describe.each(everyone)('paddock verify, as %s', (who) => {
  test('prints line by line what it tried, or only one guarantee on request', async () => {
    using stage = makeStage(who)
    const ran = await paddock(stage, ['verify', '--egress', 'off', '--only', 'environment-scrubbed'])
    expect(ran.stdout).toMatch(/^✓ environment-scrubbed {2}.*canary/m)
    expect(ran.stdout).toMatch(/L2 · bubblewrap · egress off: 1 held, 0 broken, 0 not enforceable here/)
    expect(ran.code).toBe(0)
  })

  test('bad input is one sentence with the fix', async () => {
    using stage = makeStage(who)
    for (const [args, message] of [
      [['--egress', 'some'], /--egress some: there is no such value/],
      [['--posture', 'L9'], /--posture L9/],
      [['--backend', 'docker'], /--backend docker/],
      [['--only', 'nothing'], /--only nothing: that guarantee does not exist/],
    ] as const) {
      const ran = await paddock(stage, ['verify', ...args])
      expect([args, ran.code]).toEqual([args, 2])
      expect(ran.stderr).toMatch(message)
    }
  })

  test('a level that no cell on this machine has cannot be verified', async () => {
    using stage = makeStage(who)
    for (const [level, message] of [
      ['L0', 'Nothing is promised at L0, on the bare host, so there is nothing to verify.'],
      ['L4', '--posture L4: bubblewrap builds no cells of that isolation level here.'],
    ] as const) {
      const ran = await paddock(stage, ['verify', '--posture', level])
      expect([ran.code, ran.stderr]).toEqual([125, expect.stringContaining(message)])
    }
  })
})
