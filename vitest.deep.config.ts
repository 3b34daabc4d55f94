import { defineConfig } from 'vitest/config'

/** End-to-end tests whose subject does not depend on the user, and which `npm test` runs. For each, one of its kind is repeated as root. */
const sameForRoot = [
  ...['acp', 'apply-commit', 'approvals', 'bound-secrets', 'copy-lines', 'credentials', 'endpoint-trouble', 'forges', 'last-lines'],
  ...['mcp', 'redteam', 'report-file', 'run-json', 'secrets', 'snapshot', 'trust', 'vault'],
  ...['apply-attacks', 'archive', 'diff', 'judge-me', 'judge', 'leftovers', 'project', 'refine', 'resume', 'setup', 'tail'].map(
    (each) => `contest-${each}`,
  ),
  ...['acp', 'backup', 'discord', 'hooks', 'memory', 'model', 'questions', 'roles', 'schedules', 'setup', 'team-guide'].map(
    (each) => `fleet-${each}`,
  ),
]

/** The slow tests, and the end-to-end tests as root: `npm run test:deep`. */
export default defineConfig({
  test: {
    include: ['test/**/*.deep.test.ts', 'test/e2e/*.test.ts', 'test/fuzz/*.test.ts', 'test/cell/repositories/random-trees.test.ts'],
    exclude: [...sameForRoot.map((each) => `test/e2e/${each}.test.ts`), '**/node_modules/**'],
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
