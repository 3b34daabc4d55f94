import { defineConfig } from 'vitest/config'

/** The quick tests: `npm test`. The slow ones, and those as root, are in vitest.deep.config.ts. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/real-clis/**', 'test/toolchains/**', 'test/**/*.deep.test.ts', '**/node_modules/**'],
    globalSetup: './test/support/copy-for-users.ts',
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './test/support/count-reporter.ts'],
  },
})
