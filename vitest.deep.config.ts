import { defineConfig } from 'vitest/config'
import { notDeep } from './test/support/tiers.ts'

/** The slow tests, and the end-to-end tests as root: `npm run test:deep`. */
export default defineConfig({
  test: {
    include: ['test/**/*.deep.test.ts', 'test/e2e/*.test.ts', 'test/fuzz/*.test.ts', 'test/cell/repositories/random-trees.test.ts'],
    exclude: [...notDeep, '**/node_modules/**'],
    env: { PADDOCK_TEST_TIER: 'deep' },
    globalSetup: './test/support/copy-for-users.ts',
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './test/support/count-reporter.ts'],
  },
})
