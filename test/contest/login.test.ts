import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contestSchema } from '../../src/contest/config/contest-schema.ts'
import { readyRole } from '../../src/contest/run/role.ts'
import { openBench } from '../support/contest-bench.ts'
import { putLogin } from '../support/host-login.ts'

const hour = 3_600_000
const program = { program: '/opt/claude', mounts: [], pathEntries: [], version: null }

async function ready(
  login: (home: string) => Promise<unknown> | unknown,
  more: object = {},
): Promise<{ failure: unknown; warnings: string[] }> {
  await using bench = await openBench({ installation: async () => program })
  await login(bench.deps.paths.userHome)
  const config = contestSchema.parse({
    schemaVersion: 1,
    name: 'trial',
    participants: [{ name: 'one', agent: 'claude', ...more }],
    judges: [],
    checks: [{ name: 'there', command: ['true'] }],
  })
  const [participant] = config.participants
  if (participant === undefined) throw new Error('no participant')
  const about = { cwd: '/contest', contestRoot: bench.contest, timeoutMs: hour }
  const failure: unknown = await readyRole(participant, 'participants[0]', about, bench.deps).then(
    () => null,
    (error: unknown) => error,
  )
  return { failure, warnings: bench.events.flatMap((each) => (each.type === 'warning' ? [each.message] : [])) }
}

const ends = (ms: number, refresh: string) => (home: string) =>
  putLogin(home, 'claude', { access: 'access-1', refresh, id: '', expiresAt: new Date(Date.now() + ms) })

test('a login that has expired and cannot be renewed is reported before anything runs', async () => {
  const { failure } = await ready(ends(-2 * hour, ''))
  expect(failure).toMatchObject({
    code: 'LOGIN_NEEDED',
    message: expect.stringMatching(/^participants\[0\]: The claude login expired 2 h 00 min ago\.$/),
    hint: 'Run: claude /login',
  })
})

test('one that ends soon is a warning', async () => {
  const { failure, warnings } = await ready(ends(5 * hour + 30_000, ''))
  expect(failure).toBeNull()
  expect(warnings).toEqual(['participants[0]: The claude login expires in 5 h 00 min, and nothing can renew it. Run: claude /login'])
})

test('one that renews itself, and one that does for days, are not worth a word', async () => {
  expect(await ready(ends(-hour, 'refresh-1'))).toEqual({ failure: null, warnings: [] })
  expect(await ready(ends(48 * hour, ''))).toEqual({ failure: null, warnings: [] })
})

const cut = async (home: string): Promise<void> => {
  await mkdir(path.join(home, '.claude'))
  await writeFile(path.join(home, '.claude/.credentials.json'), '{"claudeAiOauth":')
}

test('nothing can stand for one that Paddock cannot read', async () => {
  const { failure } = await ready(cut)
  expect(failure).toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(/\.credentials\.json is cut off/) })
})

test('a copy of one that Paddock cannot read is worth a warning, because the CLI may read it', async () => {
  const { failure, warnings } = await ready(cut, { credentials: 'snapshot' })
  expect(failure).toBeNull()
  expect(warnings).toEqual([expect.stringMatching(/^participants\[0\]: \S+\.credentials\.json is cut off.* Run: claude \/login$/)])
})
