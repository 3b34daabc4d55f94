import { defineConfig } from 'vitest/config'

/**
 * The real agent CLIs against local model endpoints: `npm run test:real`, and with `--mode lab` every case of each test.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/real-clis/*.test.ts'],
    exclude: mode === 'lab' ? [] : ['outages', 'redteam', 'starter', 'suite'].map((each) => `test/real-clis/${each}.test.ts`),
    env: { PADDOCK_TEST_TIER: mode === 'lab' ? 'lab' : 'real' },
    globalSetup: ['./test/support/copy-for-users.ts', './test/real-clis/place.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './test/support/count-reporter.ts'],
  },
}))
