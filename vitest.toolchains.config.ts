import { defineConfig } from 'vitest/config'
import { inLab } from './test/support/tiers.ts'

/** Programs of other people that use git in a project, all sabotages, and long tests: `npm run test:lab`. */
export default defineConfig({
  test: {
    include: ['test/toolchains/*.test.ts', ...inLab],
    env: { PADDOCK_TEST_TIER: 'lab' },
    globalSetup: './test/support/copy-for-users.ts',
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './test/support/count-reporter.ts'],
  },
})
