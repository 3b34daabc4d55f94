import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import type { AgentAdapter } from '../../src/adapters/adapter.ts'
import { agentsOnMachine, loginFormats } from '../../src/adapters/agent-facts.ts'
import type { AuditEvent } from '../../src/audit/event.ts'
import { bubblewrap } from '../../src/cell/backends/bubblewrap/backend.ts'
import { inspectMachine } from '../../src/cell/plan/machine-facts.ts'
import { cellLauncher } from '../../src/cell/run/launch.ts'
import { version } from '../../src/cli/version.ts'
import { Layout } from '../../src/contest/config/contest-layout.ts'
import { runContest } from '../../src/contest/stages/run-contest.ts'
import { HostLogins } from '../../src/credentials/stored-logins.ts'
import { elsewhere } from '../../src/remotes/elsewhere.ts'
import { knownHostsOf, readRemotes, remoteNamed } from '../../src/remotes/remote-store.ts'
import { sshTransport } from '../../src/remotes/ssh.ts'
import { isLab } from '../support/cli.ts'
import { openBench, writeContest } from '../support/contest-bench.ts'
import { type FarMachine, noSshd, openFarMachine } from '../support/far-machine.ts'
import { filesWith, processesWith, wordsInMemory } from '../support/memory.ts'
import type { Script } from '../support/model-servers/script.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import { sealedFile } from '../support/sealed-files.ts'
import { realAgents } from './agents.ts'
import { openVendors, type Told } from './vendors.ts'

const word = (prefix: string): string => `${prefix}${randomBytes(24).toString('hex')}`

interface Case {
  readonly name: string
  readonly agent: string
  readonly model: string
  /** Puts a real credential on the host. Returns its environment and its secrets. */
  lay(
    home: string,
    oauth: OAuthServer,
  ): { readonly env: Readonly<Record<string, string>>; readonly secrets: () => Readonly<Record<string, string>> }
  readonly carries: (told: Told, secret: string) => boolean
}

const bearer = ({ headers }: Told, secret: string): boolean => headers.authorization === `Bearer ${secret}`
const modelOf = (agent: string): string => realAgents.find((each) => each.name === agent)?.model ?? ''
const file = (home: string, name: string, content: object): void => {
  mkdirSync(path.dirname(path.join(home, name)), { recursive: true, mode: 0o700 })
  writeFileSync(path.join(home, name), JSON.stringify(content), { mode: 0o600 })
}
const keyCase = (agent: string, model: string, variable: string, prefix: string, carries: Case['carries']): Case => ({
  name: `${agent} with a key`,
  agent,
  model,
  lay() {
    const key = word(prefix)
    return { env: { [variable]: key }, secrets: () => ({ key }) }
  },
  carries,
})

const cases: readonly Case[] = [
  keyCase('claude', modelOf('claude'), 'ANTHROPIC_API_KEY', 'sk-ant-api03-', ({ headers }, secret) => headers['x-api-key'] === secret),
  keyCase('codex', modelOf('codex'), 'CODEX_API_KEY', 'sk-proj-', bearer),
  keyCase('gemini', modelOf('gemini'), 'GEMINI_API_KEY', 'AIza', ({ headers }, secret) => headers['x-goog-api-key'] === secret),
  keyCase('opencode', 'openai/gpt-5', 'OPENAI_API_KEY', 'sk-', bearer),
  {
    name: 'claude with a subscription',
    agent: 'claude',
    model: modelOf('claude'),
    lay(home, oauth) {
      // It expired a minute ago, so the first use refreshes it.
      const old = oauth.login(-60)
      const claudeAiOauth = { accessToken: old.access, refreshToken: old.refresh, expiresAt: old.expiresAt.getTime() }
      file(home, '.claude/.credentials.json', {
        claudeAiOauth: { ...claudeAiOauth, scopes: ['user:inference', 'user:profile'], subscriptionType: 'max' },
      })
      return { env: {}, secrets: () => named(oauth, old) }
    },
    carries: bearer,
  },
  {
    name: 'codex with a subscription',
    agent: 'codex',
    model: modelOf('codex'),
    lay(home, oauth) {
      const old = oauth.login(-60)
      const tokens = { id_token: old.id, access_token: old.access, refresh_token: old.refresh, account_id: 'account' }
      file(home, '.codex/auth.json', { auth_mode: 'chatgpt', OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() })
      return { env: {}, secrets: () => named(oauth, old) }
    },
    carries: bearer,
  },
  {
    name: 'gemini with a subscription',
    agent: 'gemini',
    model: modelOf('gemini'),
    lay(home, oauth) {
      const old = oauth.login(-60)
      const times = { expiry_date: old.expiresAt.getTime(), token_type: 'Bearer', scope: 'https://www.googleapis.com/auth/cloud-platform' }
      file(home, '.gemini/oauth_creds.json', { access_token: old.access, refresh_token: old.refresh, ...times })
      return { env: {}, secrets: () => named(oauth, old) }
    },
    carries: bearer,
  },
  {
    name: 'opencode with a subscription',
    agent: 'opencode',
    model: 'openai/gpt-5.5',
    lay(home, oauth) {
      const old = oauth.login(-60)
      const openai = { type: 'oauth', access: old.access, refresh: old.refresh, expires: old.expiresAt.getTime(), accountId: 'account' }
      file(home, '.local/share/opencode/auth.json', { openai })
      return { env: {}, secrets: () => named(oauth, old) }
    },
    carries: bearer,
  },
  {
    name: 'opencode with a stored key',
    agent: 'opencode',
    model: 'openai/gpt-5',
    lay(home) {
      const key = word('sk-')
      file(home, '.local/share/opencode/auth.json', { openai: { type: 'api', key } })
      return { env: {}, secrets: () => ({ key }) }
    },
    carries: bearer,
  },
]

/** Returns the way to cells on another machine, whose gateway is here. */
async function elsewhereOf({ stage }: FarMachine, means: Parameters<typeof elsewhere>[2], userHome: string, scratch: string) {
  const paths = { config: path.join(stage.env['PADDOCK_HOME'] ?? '', 'config') }
  const known = await readRemotes(paths)
  const open = () =>
    sshTransport(remoteNamed(known, 'far'), known.home, version, {
      env: stage.env,
      knownHosts: knownHostsOf(paths),
      copy: { id: '', files: new Map() },
    })
  return elsewhere(open, { name: 'far', userHome, keepMs: 60_000, scratch, onPlan: () => undefined }, means)
}

/** Returns all tokens that a subscription has had, by name. */
function named(oauth: OAuthServer, old: { readonly access: string; readonly refresh: string }): Record<string, string> {
  const now = oauth.newest(old.access) ?? old
  return { access: now.access, refresh: now.refresh, 'old access': old.access, 'old refresh': old.refresh }
}

/** Searches every place that a cell can read for the shapes of credentials, and submits the result. */
const hunt = [
  'exec 2>/dev/null',
  'env; cat /proc/*/environ | tr "\\0" "\\n"',
  'find / -xdev -type f -size -200k ! -path "/proc/*" ! -path "/sys/*" ! -path "/usr/*" ! -path "*/node_modules/*" ! -path "/contest/out/*" -exec cat {} +',
  'find "$HOME" /tmp /var/tmp /run /etc/paddock -type f -size -2000k -exec cat {} +',
].join('; ')

/** Subscriptions of codex, gemini and opencode, and opencode's stored keys, use other paths than an endpoint has. */
const atEndpoint = cases.filter(({ name }) => !/^(codex|gemini|opencode) with a (subscription|stored key)$/.test(name))
const endpoints = isLab ? atEndpoint : atEndpoint.slice(0, 1)
/** Each takes half a minute, because its agent searches every place that it can read. */
const byPlaceholder = isLab ? cases : cases.filter(({ name }) => name.endsWith('with a subscription'))
/** With its cell on another machine; all of them in the lab. */
const overSsh = byPlaceholder.filter(({ agent }) => isLab || agent === 'claude' || agent === 'codex')
const ways = [
  ...byPlaceholder.map((each) => ({ ...each, way: 'placeholder' })),
  ...endpoints.map((each) => ({ ...each, way: 'endpoint' })),
  ...overSsh.map((each) => ({ ...each, way: 'placeholder over SSH' })),
]

describe.each(ways)('$name, by $way', ({ agent, model, lay, carries, way }) => {
  it('works by a placeholder: the vendor sees the real credential, and no byte of it is in the cell', { timeout: 300_000 }, async ({
    skip,
  }) => {
    const isFar = way === 'placeholder over SSH'
    skip(isFar && noSshd !== null, noSshd ?? undefined)
    await using far = isFar ? await openFarMachine([inject('realClis').root]) : null
    if (far !== null) await far.add()
    await using bench = await openBench()
    await using oauth = await startOAuthServer()
    const home = bench.deps.paths.userHome
    const { env, secrets } = lay(home, oauth)
    // It does not have the shape of a credential.
    const marker = word('marker/')
    const scans: ReturnType<typeof wordsInMemory>[] = []
    let placeholder = ''
    const script: Script = ({ toolResults, tools }) => {
      if (tools.length === 0) return { say: 'a title' }
      if (toolResults.length === 0) return { run: `(${hunt}) > hunt.txt; echo done` }
      const [where = out] =
        far === null
          ? []
          : globSync(path.join(far.far, 'state/served-trees/*/*/trees/*')).filter((each) => existsSync(path.join(each, 'hunt.txt')))
      const seen = readFileSync(path.join(where, 'hunt.txt'), 'latin1')
      placeholder =
        /(?:sk-ant-(?:api03|oat01)-|sk-proj-|AIza|sk-)[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9]{40,}|eyJ[\w-]+\.[\w-]+\.[A-Za-z0-9]{86}/.exec(
          seen,
        )?.[0] ?? ''
      // The agent is waiting for this answer, so its memory is complete and can be scanned.
      if (scans.length === 0) scans.push(wordsInMemory(processesWith(marker), { 'the placeholder': placeholder, marker, ...secrets() }))
      return { say: 'It is written.' }
    }
    const out = new Layout(bench.contest).attempt(1, agent, 1).out
    const server = await startModelServer({ script })
    await using vendors = await openVendors(server.port, (told) => {
      const now = secrets()
      return carries(told, now['key'] ?? now['access'] ?? '')
    })
    const config = {
      name: agent,
      agent,
      model,
      credentials: isFar ? 'placeholder' : way,
      env: [...Object.keys(env), `HUNT_MARKER=${marker}`],
    }
    await writeContest(bench, {}, {}, { participants: [config], judges: [], rubric: undefined, checks: [{ name: 'any', command: 'true' }] })
    const { paths } = bench.deps
    const events: string[] = []
    const logins = new HostLogins({
      formats: await loginFormats(),
      paths,
      env: { PATH: inject('realClis').root },
      audit: (event) => events.push(JSON.stringify(event)),
      notice: (sentence) => events.push(sentence),
      transport: oauth.transport(),
    })
    const search = `${inject('realClis').root}:/usr/local/bin:/usr/bin:/bin`
    const { resolver, connect, ca } = vendors
    const means = { resolver, connect, extraRoots: [ca], audit: (event: AuditEvent) => void events.push(JSON.stringify(event)) }
    const place =
      far === null
        ? {
            startCell: cellLauncher({
              ...means,
              machine: inspectMachine({ PATH: search, HOME: home }, paths, agentsOnMachine),
              backends: [bubblewrap({ searchPath: search, sessionEnv: {} })],
              stateDirectory: paths.state,
              graceMs: 500,
            }),
            installation: (adapter: AgentAdapter) => adapter.locate(search.split(':')),
            close: () => undefined,
          }
        : await elsewhereOf(far, means, home, path.join(bench.root, 'scratch'))
    try {
      const { summary } = await runContest(bench.contest, {
        ...bench.deps,
        env,
        logins,
        startCell: place.startCell,
        installation: (adapter) => place.installation(adapter),
      })
      const told = JSON.stringify([summary.notRanked, events.slice(-8), vendors.told.map(({ host, path: at }) => `${host}${at}`)])
      expect(
        summary.ranking.map((each) => each.name),
        told,
      ).toEqual([agent])
      // The vendor saw the real credential in every request that it answered.
      expect(vendors.told.some((each) => /messages|responses|completions|models|streamGenerate/.test(each.path))).toBe(true)
      // The cell did not see it in any file, in the environment, or in the memory of its processes.
      const seen = sealedFile(bench.contest, agent, 'hunt.txt')
      expect(seen).toContain(marker)
      if (way === 'endpoint') expect(seen).not.toContain('paddock/ca.pem')
      expect(placeholder.length).toBeGreaterThan(30)
      const [scan] = scans
      expect(scan?.found).toEqual(expect.arrayContaining(['the placeholder', 'marker']))
      for (const [name, secret] of Object.entries(secrets())) {
        expect(seen.includes(secret), `${name} in a file of the cell`).toBe(false)
        expect(scan?.found, `${name} in memory`).not.toContain(name)
        expect(events.join('\n').includes(secret), `${name} in the audit log`).toBe(false)
      }
      if (far !== null) {
        const server = far.server()
        const known = wordsInMemory(server === undefined ? [] : [server], { marker, ...secrets() })
        expect([known.found, filesWith(far.far, secrets(), '')]).toEqual([['marker'], []])
      }
      // It is not in anything that a run leaves behind either, in any encoding. Only the host's own login contains it.
      expect(filesWith(bench.root, secrets(), path.join(bench.root, 'home'))).toEqual([])
      expect(filesWith(bench.root, { marker }, '')).not.toEqual([])
      expect(scan?.bytes).toBeGreaterThan(10_000_000)
      if (secrets()['refresh'] !== undefined) {
        expect(oauth.seen).toHaveLength(1)
        expect(secrets()['refresh']).not.toBe(secrets()['old refresh'])
      }
    } finally {
      place.close()
      await server.close()
      await logins.close()
    }
  })
})
