import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const checkout = path.join(import.meta.dirname, '../../..')
/** Tests of cells of L2 in which an agent tries to get out, to stay, or to see more. */
const files = [
  ...['attacks', 'closed-calls', 'closed-directories', 'hard-limits', 'isolation', 'mask-replaced', 'masks'],
  ...['own-limits', 'shared-files', 'unlikely-calls'],
].map((each) => `test/e2e/cell/${each}.test.ts`)
/** What is different at L1, by the end of a test's name: the home of the host is there, and the private one is not. */
const different = [
  'the home of the host is not there',
  'one project is never shown what an agent left in its home for another',
  // A path of the host can be masked wherever it is.
  'refuses links, what is not there, and the project itself; says that a file has other names',
]

test('nothing that an agent tries at L2 succeeds at L1, but for what L1 does not promise', { timeout: 900_000 }, () => {
  const ran = spawnSync(
    process.execPath,
    [path.join(checkout, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.deep.config.ts', '--reporter', 'json', ...files],
    { cwd: checkout, env: { ...process.env, PADDOCK_TEST_POSTURE: 'L1', PADDOCK_TEST_TIER: 'deep' }, encoding: 'utf8', maxBuffer: 1e8 },
  )
  const { testResults } = JSON.parse(ran.stdout.slice(ran.stdout.indexOf('{"'))) as {
    readonly testResults: readonly { readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[] }[]
  }
  const all = testResults.flatMap((each) => each.assertionResults)
  expect(all.filter((each) => each.status === 'passed').length).toBeGreaterThan(100)
  const failed = all.filter((each) => each.status === 'failed').map((each) => each.fullName)
  expect(failed.filter((name) => !different.some((each) => name.endsWith(each)))).toEqual([])
  for (const each of different) expect(failed).toContainEqual(expect.stringMatching(RegExp(`${each}$`)))
})
