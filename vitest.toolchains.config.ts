import { defineConfig } from 'vitest/config'

/** Programs of other people that use git in a project: `npm run test:lab`. */
export default defineConfig({
  test: {
    include: ['test/toolchains/*.test.ts'],
    env: { PADDOCK_TEST_TIER: 'real' },
    globalSetup: './test/support/copy-for-users.ts',
    testTimeout: 180_000,
    pool: 'forks',
    fileParallelism: false,
    reporters: ['default', './test/support/count-reporter.ts'],
  },
})
