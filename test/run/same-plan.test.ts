import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { agentsOnMachine } from '../../src/adapters/agent-facts.ts'
import { adapters } from '../../src/adapters/find-adapter.ts'
import { inspectMachine } from '../../src/cell/plan/machine-facts.ts'
import { planFor } from '../../src/cell/plan/plan-for.ts'
import type { CellSpec } from '../../src/cell/plan/spec.ts'
import type { RunOptions } from '../../src/cli/run/options.ts'
import { askedBy } from '../../src/cli/run/run-request.ts'
import { contestSchema } from '../../src/contest/config/contest-schema.ts'
import { readyRole } from '../../src/contest/run/role.ts'
import { authorityOf } from '../../src/egress/inspect/tls/authority-of.ts'
import { prepare } from '../../src/run/prepare-run.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { type Bench, openBench } from '../support/contest-bench.ts'
import { putLogin } from '../support/host-login.ts'

// Placeholders are random. With this, those of two cells are equal, so that everything else can be compared.
vi.mock('node:crypto', async (original) => ({ ...(await original<typeof import('node:crypto')>()), randomInt: () => 7 }))

// Placeholders also contain their expiry.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const cwd = '/contest/out'
const minutes = 60_000
const login = { access: 'access-1', refresh: 'refresh-1', id: '', expiresAt: new Date(Date.now() + 48 * 60 * minutes) }
const noOptions: RunOptions = {
  egress: 'allowlist',
  allow: [],
  ask: [],
  block: [],
  preset: [],
  inspect: [],
  rule: [],
  rules: [],
  ro: [],
  rw: [],
  env: [],
  repo: [],
  login: true,
  secret: [],
  publish: [],
  projectFile: false,
  brief: true,
  untrusted: [],
  webTools: true,
  allowDegraded: [],
}

/** The same settings as options and as keys of contest.yaml. */
interface Wishes {
  readonly what: string
  readonly options: Partial<RunOptions>
  readonly keys: Record<string, unknown>
}

const wishes: readonly Wishes[] = [
  { what: 'nothing but a timeout', options: { timeout: '30m' }, keys: { limits: { timeout: '30m' } } },
  {
    what: 'everything about the network, keys, secrets, repositories and limits',
    options: {
      model: 'vendor/some-model',
      env: ['FIXED=1', 'PASSED', 'GH_TOKEN=ghp_0123456789'],
      secret: ['DEPLOY_KEY=env:KEPT@api.example.com'],
      repo: ['github.com/me/it=write'],
      allow: ['api.example.com', 'db.example.com:5432=127.0.0.1:5432'],
      ask: ['asked.example.com'],
      preset: ['github'],
      inspect: ['read.example.com'],
      rule: ['deny POST read.example.com/x/**'],
      rules: ['git-push=ask'],
      timeout: '20m',
      silence: '4m',
      memory: '1GiB',
      pids: '300',
      cpus: '1.5',
      fileSize: '10MiB',
      disk: '20MiB',
    },
    keys: {
      model: 'vendor/some-model',
      env: ['FIXED=1', 'PASSED', 'GH_TOKEN=ghp_0123456789'],
      secrets: ['DEPLOY_KEY=env:KEPT@api.example.com'],
      repos: ['github.com/me/it=write'],
      egress: {
        allow: ['api.example.com', 'db.example.com:5432=127.0.0.1:5432'],
        ask: ['asked.example.com'],
        presets: ['github'],
        inspect: ['read.example.com'],
        rules: ['deny POST read.example.com/x/**'],
        ruleSets: ['git-push=ask'],
      },
      limits: { timeout: '20m', silence: '4m', memory: '1GiB', pids: 300, cpus: 1.5, fileSize: '10MiB', disk: '20MiB' },
    },
  },
  {
    what: 'another endpoint, without a login',
    options: { model: 'vendor/small', baseUrl: 'http://models.example:8080', credentials: 'none', timeout: '30m' },
    keys: { model: 'vendor/small', baseUrl: 'http://models.example:8080', credentials: 'none', limits: { timeout: '30m' } },
  },
  {
    what: 'the internet, without some of it',
    options: { egress: 'public', block: ['203.0.113.0/24'], timeout: '30m' },
    keys: { egress: { policy: 'public', block: ['203.0.113.0/24'] }, limits: { timeout: '30m' } },
  },
  { what: 'no network', options: { egress: 'off', timeout: '30m' }, keys: { egress: { policy: 'off' }, limits: { timeout: '30m' } } },
]

/** All agents with all settings. A command line that Paddock does not know accepts no base URL. */
const cases = adapters.flatMap((adapter) =>
  wishes.filter(({ options }) => adapter.name !== 'acp' || options.baseUrl === undefined).map((each) => ({ agent: adapter.name, ...each })),
)

test.each(cases)('a participant and paddock run get the same plan: $agent, $what', async ({ agent, options, keys }) => {
  await using bench = await openBench({
    env: { PASSED: 'passed' },
    secrets: async () => ({ secret: Secret.fromText('KEPT', 'kept-secret'), hosts: null, place: null }),
    installation: async ({ name }) => ({
      program: `/opt/${name}/bin/${name}`,
      mounts: name === 'command' ? [] : [{ source: '/usr/share', target: `/opt/${name}`, access: 'ro' }],
      pathEntries: name === 'command' ? [] : [`/opt/${name}/bin`],
      version: null,
    }),
  })
  const home = bench.deps.paths.userHome
  mkdirSync(home, { recursive: true })
  for (const each of ['claude', 'codex', 'gemini', 'opencode'] as const) putLogin(home, each, login)
  const key = { grok: 'XAI_API_KEY=xai-key', opencode: 'OPENAI_API_KEY=sk-key' }[agent as 'grok' | 'opencode']
  const env = key === undefined ? [] : [key]
  const run = decisive(await planOfRun(bench, agent, { ...noOptions, ...options, env: [...(options.env ?? []), ...env] }), bench)
  const contest = decisive(await planOfParticipant(bench, agent, { ...keys, env: [...((keys['env'] as string[]) ?? []), ...env] }), bench)
  expect(contest).toEqual(run)
  expect(run.command.length).toBeGreaterThan(0)
})

async function planOfRun(bench: Bench, agent: string, options: RunOptions): Promise<CellSpec> {
  const isCommand = agent === 'command'
  const words = isCommand ? ['sh', '-c', 'true'] : [agent, '--extra']
  const isGiven = (name: string): boolean => Object.hasOwn(options, name)
  const { request } = askedBy({ words, isCommand, terminal: false }, options, isGiven, { files: [], project: null }, bench.deps.paths)
  const run = await prepare(request, { cwd, place: '', now: Date.now(), needsCredential: false, mayShowLogin: true }, bench.deps)
  return (await run.forCell({ name: 'one', home })).spec
}

async function planOfParticipant(bench: Bench, agent: string, keys: Record<string, unknown>): Promise<CellSpec> {
  const more = agent === 'command' ? { command: ['sh', '-c', 'true'] } : { args: ['--extra'] }
  const [participant] = contestSchema.parse({
    schemaVersion: 1,
    name: 'trial',
    participants: [{ name: 'one', agent, ...more, ...keys }],
    checks: [{ name: 'there', command: ['true'] }],
  }).participants
  if (participant === undefined) throw new Error('no participant')
  const role = await readyRole(participant, 'participants[0]', { cwd, contestRoot: bench.contest, timeoutMs: 30 * minutes }, bench.deps)
  return (await role.run.forCell({ name: 'one', home })).spec
}

const home = '/home/of/the/cell'

/** Returns what a plan decides about an agent, without the parts that a contest or a project adds. */
function decisive(spec: CellSpec, bench: Bench) {
  const certificate = authorityOf(spec.egress, spec.credentials ?? [])?.certificate ?? null
  const { planned } = planFor(
    spec,
    inspectMachine({ HOME: bench.deps.paths.userHome }, bench.deps.paths, agentsOnMachine),
    () => new Set(),
    certificate,
  )
  const { command, env, egress, credentials, limits, filesystem, prepare: homeFiles } = planned
  const agentMounts = filesystem.filter((each) => each.kind === 'bind' && each.reason === 'agent')
  const files = filesystem.flatMap((each) => {
    if (each.kind !== 'file') return []
    // A key store of Java has the cell's own certificate too.
    const content = each.encoding === 'base64' ? 'a key store' : each.content.replace(/-----BEGIN[\s\S]*-----\n/g, 'a certificate\n')
    return [{ target: each.target, content }]
  })
  return { command, env, egress, credentials, limits, agentMounts, homeFiles, files, gitConfig: spec.gitConfig }
}
