import { defineConfig } from 'vitest/config'

/** Tests that change the state of their own process. Each needs a process of its own; the others share one for each worker. */
const alone = [
  'test/credentials/vault-agent.test.ts',
  'test/contest/suite/machine.test.ts',
  'test/contest/run/{outcome,pool}.test.ts',
  'test/cli/{run/run-lines,terminal/waiting-line}.test.ts',
  'test/copy/hold.test.ts',
  'test/egress/{dns/dns-real,inspect-websocket}.test.ts',
  'test/fleet/webhooks/send.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/paths.test.ts',
  'test/run/same-plan.test.ts',
]

/** The quick tests: `npm test`. The slow ones, and those as root, are in vitest.deep.config.ts. */
export default defineConfig({
  test: {
    exclude: ['test/real-clis/**', 'test/toolchains/**', 'test/**/*.deep.test.ts', '**/node_modules/**'],
    globalSetup: './test/support/copy-for-users.ts',
    testTimeout: 180_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', './test/support/count-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, include: ['test/**/*.test.ts'], exclude: alone } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
})
