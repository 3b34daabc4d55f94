import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { notQuick } from './test/support/tiers.ts'

/** The quick tests: `npm test`. The slow ones, and those as root, are in the other configurations. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/real-clis/**', 'test/toolchains/**', 'test/**/*.deep.test.ts', ...notQuick, '**/node_modules/**'],
    globalSetup: './test/support/copy-for-users.ts',
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', './test/support/count-reporter.ts'],
  },
})
