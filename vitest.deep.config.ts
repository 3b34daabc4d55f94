import { defineConfig } from 'vitest/config'
import { notDeep, slow } from './test/support/tiers.ts'

const include = ['test/**/*.deep.test.ts', 'test/e2e/**/*.test.ts', 'test/fuzz/*.test.ts']

/** The slow tests, and the end-to-end tests as root: `npm run test:deep`. */
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'deep', include, exclude: [...notDeep, '**/node_modules/**'], env: { PADDOCK_TEST_TIER: 'deep' } },
      },
      { extends: true, test: { name: 'as in npm test', include: slow } },
    ],
    globalSetup: './test/support/copy-for-users.ts',
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './test/support/count-reporter.ts'],
  },
})
