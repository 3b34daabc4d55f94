import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { loginFormats } from '../../../src/adapters/agent-facts.ts'
import type { AuditEvent } from '../../../src/audit/event.ts'
import { HostLogins } from '../../../src/credentials/stored-logins.ts'
import type { LentLogin } from '../../../src/credentials/volume/lend.ts'
import { loginFiles, putGemini, putLogin } from '../../support/host-login.ts'
import { type IssuedTokens, type OAuthServer, type OAuthServerOptions, startOAuthServer } from '../../support/oauth-server.ts'
import { temporary } from '../../support/temporary.ts'

type Agent = keyof typeof loginFiles

interface Bench extends AsyncDisposable {
  readonly server: OAuthServer
  readonly first: IssuedTokens
  readonly logins: HostLogins
  readonly events: AuditEvent[]
  readonly notices: string[]
  readonly directory: string
  /** The login file of the volume. */
  content(): string
  /** The login file that the cell sees. */
  file(lent: LentLogin): string
}

/** A volume of an agent that contains a login, and the service that renews it. */
async function bench(agent: Agent, options: OAuthServerOptions = {}): Promise<Bench> {
  const place = await temporary()
  const server = await startOAuthServer(options)
  const first = server.login(3_600)
  const state = place.at('state')
  const directory = path.join(state, 'volumes', agent, 'default')
  for (const each of [state, path.dirname(path.dirname(directory)), path.dirname(directory), directory, path.join(directory, 'home')])
    mkdirSync(each, { mode: 0o700 })
  const file = putLogin(path.join(directory, 'home'), agent, first)
  const events: AuditEvent[] = []
  const notices: string[] = []
  const paths = { config: place.at('c'), state, data: place.at('d'), cache: place.at('k'), userHome: place.at('home'), userName: 'tester' }
  const logins = new HostLogins({
    paths,
    env: { PATH: putGemini(place.at('bin'), { id: 'gemini-client', secret: 'not-much-of-a-secret' }) },
    audit: (event) => events.push(event),
    notice: (sentence) => notices.push(sentence),
    formats: await loginFormats(),
    transport: server.transport(),
  })
  return {
    server,
    first,
    logins,
    events,
    notices,
    directory,
    content: () => readFileSync(file, 'utf8'),
    file: ({ directory: lent }) => path.join(lent, path.basename(loginFiles[agent])),
    async [Symbol.asyncDispose]() {
      await logins.close()
      await server[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

/** Sends a renewal as the CLI in the cell does. */
async function renewal(lent: LentLogin, token: string, form = false) {
  const fields = { grant_type: 'refresh_token', refresh_token: token, client_id: 'x' }
  const endpoint = lent.credentials.find((each) => each.renewal !== undefined)?.renewal
  const answer = await endpoint?.answer(form ? new URLSearchParams(fields).toString() : JSON.stringify(fields))
  return { status: answer?.status, json: answer?.json as Record<string, string> }
}

const endpoints = {
  claude: { host: 'platform.claude.com', paths: ['/v1/oauth/token'] },
  codex: { host: 'auth.openai.com', paths: ['/oauth/token'] },
  gemini: { host: 'oauth2.googleapis.com', paths: ['/token'] },
  opencode: { host: 'auth.openai.com', paths: ['/oauth/token'] },
} as const

describe.each(['claude', 'codex', 'gemini', 'opencode'] as const)('a login of %s that is lent to a cell', (agent) => {
  const rotates = agent !== 'gemini'

  test('is renewed by the gateway, and the volume has the new one', async () => {
    await using at = await bench(agent, { rotates })
    const lent = await at.logins.lend(agent, 'default')
    expect(lent.credentials.map(({ renewal: each }) => each)).toEqual([{ ...endpoints[agent], answer: expect.any(Function) }])
    const { status, json } = await renewal(lent, at.first.refresh, agent === 'gemini' || agent === 'opencode')
    const newest = at.server.newest(at.first.refresh)
    expect([status, json['access_token'], json['refresh_token']]).toEqual([200, newest?.access, newest?.refresh])
    expect(newest?.access).not.toBe(at.first.access)
    expect(at.content()).toContain(newest?.access)
    expect(at.server.seen).toHaveLength(1)
    // The CLI stores what it was given, and that is not another login.
    putLogin(path.join(lent.directory, path.relative(path.dirname(loginFiles[agent]), '.')), agent, newest as IssuedTokens)
    await lent.end()
    expect(at.notices).toEqual([])
    expect(at.content()).toContain(newest?.access)
    expect(readdirSync(at.directory)).toEqual(['home'])
    expect(at.events).toEqual([
      { kind: 'credential.refresh', data: { login: agent === 'opencode' ? 'opencode/openai' : agent, outcome: 'refreshed' } },
    ])
  })

  test('is not replaced by the login of another account, which a cell can renew neither', async () => {
    await using at = await bench(agent, { rotates })
    const before = at.content()
    const other = at.server.login(3_600)
    const lent = await at.logins.lend(agent, 'default')
    putLogin(path.join(lent.directory, path.relative(path.dirname(loginFiles[agent]), '.')), agent, other)
    expect((await renewal(lent, other.refresh)).status).toBe(400)
    // A parser that takes the first of two, or the last, renews the login of the volume nevertheless.
    const body = `{"refresh_token":"${other.refresh}","refresh_token":"${at.first.refresh}"}`
    const both = await lent.credentials.find((each) => each.renewal !== undefined)?.renewal?.answer(body)
    expect(both?.status).toBe(200)
    expect(at.server.seen.map(({ fields }) => fields['refresh_token'])).toEqual([at.first.refresh])
    const renewed = at.content()
    expect(renewed).not.toBe(before)
    await lent.end()
    expect(at.content()).toBe(renewed)
    expect(renewed).not.toContain(other.access)
    expect(at.notices).toEqual([
      `${agent} left another login in its cell; the volume "default" keeps the old one (to replace it: paddock login ${agent}).`,
    ])
    expect(at.events.at(-1)).toEqual({ kind: 'credential.login', data: { agent, volume: 'default', outcome: 'refused' } })
  })
})

test('two requests with one token renew once, and a request with an older token gets the current one', async () => {
  await using at = await bench('claude')
  const lent = await at.logins.lend('claude', 'default')
  const [one, two] = await Promise.all([renewal(lent, at.first.refresh), renewal(lent, at.first.refresh)])
  expect(one.json['access_token']).toBe(two.json['access_token'])
  expect((await renewal(lent, at.first.refresh)).json['refresh_token']).toBe(one.json['refresh_token'])
  expect(at.server.seen).toHaveLength(1)
  expect((await renewal(lent, one.json['refresh_token'] ?? '')).json['refresh_token']).not.toBe(one.json['refresh_token'])
  expect(at.server.seen).toHaveLength(2)
  await lent.end()
})

test('a renewal that the vendor refuses or does not answer is reported to the CLI as such', async () => {
  await using at = await bench('claude')
  const lent = await at.logins.lend('claude', 'default')
  at.server.next({ kind: 'status', status: 500, headers: { 'retry-after': '600' } })
  expect(await renewal(lent, at.first.refresh)).toMatchObject({ status: 503, json: { error: 'temporarily_unavailable' } })
  await lent.end()
  await using other = await bench('claude')
  const gone = await other.logins.lend('claude', 'default')
  other.server.next({ kind: 'status', status: 400, body: '{"error":"invalid_grant"}' })
  expect(await renewal(gone, other.first.refresh)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  await gone.end()
  expect(other.content()).toContain(other.first.refresh)
})

test('a login that only its own CLI can renew is kept as it was', async () => {
  await using at = await bench('opencode')
  const lent = await at.logins.lend('opencode', 'default')
  const file = at.file(lent)
  const content = JSON.parse(readFileSync(file, 'utf8')) as object
  const before = at.content()
  writeFileSync(file, JSON.stringify({ ...content, other: { type: 'api', key: 'key-of-another-account' } }))
  await lent.end()
  expect(at.content()).toBe(before)
  expect(at.notices).toHaveLength(1)
})
