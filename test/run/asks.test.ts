import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { adapterFor, adapters, vendorAdapters } from '../../src/adapters/find-adapter.ts'
import { PaddockError } from '../../src/base/errors.ts'
import { readRequest } from '../../src/config/request/read-request.ts'
import { credentialModes } from '../../src/credentials/credential-way.ts'
import { prepare } from '../../src/run/prepare-run.ts'
import { type AskedAgent, askedAgent, asksOf } from '../../src/run/run-asks.ts'
import { type Bench, openBench } from '../support/contest-bench.ts'
import { putLogin } from '../support/host-login.ts'

const tokens = { access: 'real-access-token', refresh: 'real-refresh-token', id: '', expiresAt: new Date(Date.now() + 3_600_000) }
const real = /real-access-token|real-refresh-token|real-key|gsk-an-api-key-of-somebody/

/** Returns a bench whose user has a login or a key for every agent. */
async function openLoggedIn(keys: readonly string[]): Promise<Bench> {
  const bench = await openBench({
    env: Object.fromEntries(keys.map((each) => [each, 'real-key'])),
    installation: async ({ name }) => ({ program: `/opt/${name}`, mounts: [], pathEntries: [], version: null }),
  })
  const home = bench.deps.paths.userHome
  for (const each of ['claude', 'codex', 'gemini', 'opencode'] as const) putLogin(home, each, tokens)
  for (const each of adapters) {
    const source = each.credentials(home).find((one) => one.kind === 'snapshot')
    if (source === undefined || vendorsWithFiles.includes(each.name)) continue
    mkdirSync(path.dirname(source.hostPath), { recursive: true })
    writeFileSync(source.hostPath, JSON.stringify({ access: tokens.access }), { mode: 0o600 })
  }
  return bench
}
const vendorsWithFiles = ['claude', 'codex', 'gemini', 'opencode']

/** Returns the text of everything below a path. */
function contentOf(file: string): string {
  if (!statSync(file).isDirectory()) return readFileSync(file, 'utf8')
  return readdirSync(file)
    .map((each) => contentOf(path.join(file, each)))
    .join('\n')
}

const agents = [
  ...adapters.map((each) => ({ agent: each.name, command: each.takesCommand === true ? ['some-program'] : [], adapter: each })),
  ...vendorAdapters.map((each) => ({ agent: 'acp', command: [each.program], adapter: adapterFor('acp', [each.program]) })),
]
const variables = (adapter: (typeof agents)[number]['adapter']): readonly string[] =>
  adapter.credentials('/').flatMap((each) => (each.kind === 'env' ? [each.name] : []))
const table = agents.flatMap((each) =>
  [undefined, ...credentialModes].flatMap((credentials) =>
    [[], ...variables(each.adapter).map((name) => [name])].map((env) => ({ ...each, credentials, env })),
  ),
)

describe('what a file of somebody else asks for', () => {
  test.each(table)(
    'a real credential in the cell is an ask: $agent $command, $credentials, $env',
    async ({ agent, command, adapter, credentials, env }) => {
      await using bench = await openLoggedIn(env)
      const input = { ...(credentials === undefined ? {} : { credentials }), env }
      const request = readRequest({ agent, ...(command.length === 0 ? {} : { command }) }, input, (key) => ({ place: key, from: 'caller' }))
      const where = { cwd: '/contest/out', place: '', now: Date.now(), needsCredential: true, mayShowLogin: false }
      const given = await prepare(request, where, bench.deps).then(
        (run) => run.forCell({ name: 'one', home: path.join(bench.root, 'cell') }),
        (error: unknown) => {
          if (error instanceof PaddockError) return null
          throw error
        },
      )
      try {
        const text =
          given === null
            ? ''
            : JSON.stringify([given.spec.env, given.spec.homeFiles]) +
              given.spec.mounts.map((each) => (each.source.startsWith(bench.root) ? contentOf(each.source) : '')).join()
        const isInCell = real.test(text)
        if (isInCell) expect(asksOf(input, askedAgent(adapter))).not.toEqual([])
        // The table has such cases.
        if (credentials === 'snapshot' && env.length === 0 && adapter.credentials('/').some((each) => each.kind === 'snapshot'))
          expect(isInCell).toBe(true)
      } finally {
        await given?.end()
      }
    },
  )

  test('a login without a placeholder is not shown unless the file says so', async () => {
    await using bench = await openLoggedIn([])
    const request = readRequest({ agent: 'grok' }, {}, (key) => ({ place: key, from: 'caller' }))
    const where = { cwd: '/contest/out', place: 'participants[0]: ', now: Date.now(), needsCredential: true, mayShowLogin: false }
    await expect(prepare(request, where, bench.deps)).rejects.toThrow('Paddock has no placeholder for the login of grok.')
    const inPerson = await prepare(request, { ...where, needsCredential: false, mayShowLogin: true }, bench.deps)
    const { notes, end } = await inPerson.forCell({ name: 'one', home: path.join(bench.root, 'cell') })
    expect(notes.join()).toContain('the cell sees a copy of it')
    await end()
  })

  test.each([
    ['LD_PRELOAD=/contest/raw/x.so', true],
    ['NODE_OPTIONS=--require /contest/raw/x.js', true],
    ['BASH_ENV=/contest/raw/x', true],
    ['CLAUDE_CODE_SHELL_PREFIX=/contest/raw/x', true],
    ['LANG=C', false],
    ['CI=1', false],
  ])('a variable that could run something with the login is one: %s', (variable, asks) => {
    const [claude = null, command = null] = adapters
      .filter(({ name }) => ['claude', 'command'].includes(name))
      .map(askedAgent) as AskedAgent[]
    expect([claude?.name, command?.name]).toEqual(['claude', 'command'])
    expect(asksOf({ env: [variable] }, claude)).toEqual(asks ? [{ key: 'env', value: variable }] : [])
    for (const without of [asksOf({ env: [variable] }, command), asksOf({ env: [variable], credentials: 'none' }, claude)])
      expect(without).toEqual([])
    // The file has a key of its own, so no login of the user is used.
    expect(asksOf({ env: [variable, 'ANTHROPIC_API_KEY=x'] }, claude)).toEqual([])
  })
})
