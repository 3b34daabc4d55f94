import { defineConfig } from 'vitest/config'

// Tests that must themselves run on the near side of the lab: test/guarantees/in-lab.deep.test.ts starts them there.
export default defineConfig({
  test: { include: ['test/**/*.lab.ts'], testTimeout: 60_000, pool: 'forks', maxWorkers: 1 },
})
