import { readFileSync, statSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../../src/audit/event.ts'
import { PaddockError } from '../../../src/base/errors.ts'
import type { HostLogin, LoginPlace } from '../../../src/credentials/agent-login.ts'
import { openRefresher, type Refresher, type RefresherDeps } from '../../../src/credentials/refresh/refresher.ts'
import type { Clock } from '../../../src/credentials/refresh/token-clock.ts'
import { type loginFiles, putGemini, putLogin, readHostLogins } from '../../support/host-login.ts'
import { type IssuedTokens, type OAuthServer, type OAuthServerOptions, startOAuthServer } from '../../support/oauth-server.ts'
import { temporary } from '../../support/temporary.ts'

type Agent = keyof typeof loginFiles
const client = { id: 'gemini-client', secret: 'not-much-of-a-secret' }

interface Bench extends AsyncDisposable {
  readonly server: OAuthServer
  readonly home: string
  readonly state: string
  readonly file: string
  readonly first: IssuedTokens
  readonly events: AuditEvent[]
  readonly notices: string[]
  readonly clock: Clock & { ahead: number }
  readonly place: LoginPlace
  login(): Promise<HostLogin>
  open(deps?: Partial<RefresherDeps>): Promise<Refresher>
  content(): Record<string, unknown>
}

/** Returns a login in a new home that expires after `seconds`, and the service that refreshes it. */
async function bench(agent: Agent, seconds: number, options: OAuthServerOptions = {}): Promise<Bench> {
  const place = await temporary()
  const server = await startOAuthServer(options)
  const first = server.login(seconds)
  const home = place.at('home')
  const file = putLogin(home, agent, first)
  const events: AuditEvent[] = []
  const notices: string[] = []
  const clock = {
    ahead: 0,
    now: () => Date.now() + clock.ahead,
    sleep: async (ms: number) => {
      clock.ahead += ms
    },
  }
  const loginPlace: LoginPlace = { home, env: { PATH: putGemini(place.at('bin'), client) }, platform: 'linux' }
  const made: Refresher[] = []
  const login = async (): Promise<HostLogin> => {
    const found = (await readHostLogins(agent, loginPlace)).find((each) => each.refresh !== null)
    if (found === undefined) throw new Error('no login')
    return found
  }
  return {
    server,
    home,
    state: place.at('state'),
    file,
    first,
    events,
    notices,
    clock,
    place: loginPlace,
    login,
    async open(deps = {}) {
      const refresher = openRefresher(await login(), {
        stateDirectory: place.at('state'),
        place: loginPlace,
        audit: (event) => events.push(event),
        transport: server.transport(),
        clock,
        notice: (sentence) => notices.push(sentence),
        ...deps,
      })
      made.push(refresher)
      return refresher
    },
    content: () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>,
    async [Symbol.asyncDispose]() {
      for (const each of made) {
        await each.settle()
        each.close()
      }
      await server[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

async function failure(work: Promise<unknown>): Promise<PaddockError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof PaddockError) return error
  throw new Error(`no such failure: ${String(error)}`)
}

const left = async (bench: Bench): Promise<string[]> =>
  (await readdir(path.join(bench.state, 'credentials/refresh'))).filter((each) => each.endsWith('.json'))

describe('the request to the service, and its response', () => {
  test.each([
    ['claude', 'platform.claude.com', '/v1/oauth/token', 'application/json', { scope: 'user:inference user:profile' }],
    ['codex', 'auth.openai.com', '/oauth/token', 'application/json', {}],
    ['gemini', 'oauth2.googleapis.com', '/token', 'application/x-www-form-urlencoded', { client_secret: 'not-much-of-a-secret' }],
    ['opencode', 'auth.openai.com', '/oauth/token', 'application/x-www-form-urlencoded', {}],
  ] as const)('%s', async (agent, host, where, contentType, fields) => {
    await using at = await bench(agent, -60, { rotates: agent !== 'gemini' })
    const before = at.content()
    const refresher = await at.open()
    const access = (await refresher.access()).text()
    const [asked, ...more] = at.server.seen
    expect(more).toEqual([])
    expect(asked).toMatchObject({ host, path: where, contentType })
    expect(asked?.fields).toMatchObject({ grant_type: 'refresh_token', refresh_token: at.first.refresh, ...fields })
    expect(asked?.fields['client_id']).toBeTruthy()
    const newest = at.server.newest(at.first.refresh)
    expect(access).toBe(newest?.access)
    const [login] = (await readHostLogins(agent, at.place)).filter((each) => each.refresh !== null)
    expect(login?.access.text()).toBe(newest?.access)
    expect(login?.refresh?.text()).toBe(newest?.refresh)
    // Fields that Paddock does not know stay in their place and order. The mode and the format of the file stay, too.
    const after = at.content()
    const names = (value: unknown): unknown =>
      typeof value === 'object' && value !== null ? Object.entries(value).map(([key, each]) => [key, names(each)]) : typeof value
    expect(names(after)).toEqual(names(before))
    expect(readFileSync(at.file, 'utf8').includes('\n')).toBe(agent !== 'claude')
    expect(statSync(at.file).mode & 0o777).toBe(0o600)
    if (agent === 'opencode') expect(after['groq']).toEqual(before['groq'])
    expect(await left(at)).toEqual([])
    expect(at.events).toEqual([
      { kind: 'credential.refresh', data: { login: login?.provider ? `${agent}/openai` : agent, outcome: 'refreshed' } },
    ])
    expect((refresher.expiresAt()?.getTime() ?? 0) - Date.now()).toBeGreaterThan(7 * 3_600_000)
  })

  test('a token that is good for more than five minutes is handed out as it is', async () => {
    await using at = await bench('claude', 400)
    const refresher = await at.open()
    expect((await refresher.access()).text()).toBe(at.first.access)
    at.clock.ahead = 101_000
    expect((await refresher.access()).text()).not.toBe(at.first.access)
    expect(at.server.seen).toHaveLength(1)
  })

  test('tokens that live for minutes are not renewed at each call', async () => {
    await using at = await bench('claude', -1, { lifetimeS: 120 })
    const refresher = await at.open()
    for (let each = 0; each < 5; each++) await refresher.access()
    expect(at.server.seen).toHaveLength(1)
  })

  test('a token that the service did not take is renewed, whatever its date says', async () => {
    await using at = await bench('codex', 3_600)
    const refresher = await at.open()
    const old = await refresher.access()
    refresher.rejected(old)
    const fresh = await refresher.access()
    expect(fresh.text()).not.toBe(at.first.access)
    refresher.rejected(old)
    await refresher.access()
    expect(at.server.seen).toHaveLength(1)
  })

  test('an API key is handed out as it is', async () => {
    await using at = await bench('opencode', -60)
    const [, key] = await readHostLogins('opencode', at.place)
    if (key === undefined) throw new Error('no key')
    const refresher = openRefresher(key, { stateDirectory: at.state, place: at.place, audit: () => undefined })
    expect((await refresher.access()).text()).toBe('gsk-an-api-key-of-somebody')
  })
})

describe('one for all', () => {
  test('50 callers make one request', async () => {
    await using at = await bench('claude', -60)
    at.server.next({ kind: 'slow', ms: 50 })
    const refresher = await at.open()
    const all = await Promise.all(Array.from({ length: 50 }, () => refresher.access()))
    expect(new Set(all.map((each) => each.text())).size).toBe(1)
    expect(at.server.seen).toHaveLength(1)
  })

  test('50 refreshers of one login make one request', async () => {
    await using at = await bench('codex', -60)
    at.server.next({ kind: 'slow', ms: 50 })
    const refreshers = await Promise.all(Array.from({ length: 50 }, () => at.open()))
    const all = await Promise.all(refreshers.map((each) => each.access()))
    expect(new Set(all.map((each) => each.text())).size).toBe(1)
    expect(at.server.seen).toHaveLength(1)
    expect(at.events.map((each) => each.data['outcome']).sort()).toEqual([...Array<string>(49).fill('adopted'), 'refreshed'])
  })

  test('a login that the CLI itself has renewed is used, and nothing is requested', async () => {
    await using at = await bench('claude', -60)
    const refresher = await at.open()
    const theirs = at.server.login(3_600)
    putLogin(at.home, 'claude', theirs)
    expect((await refresher.access()).text()).toBe(theirs.access)
    expect(at.server.seen).toEqual([])
  })

  test('one caller that goes away takes nothing with it', async () => {
    await using at = await bench('claude', -60)
    at.server.next({ kind: 'slow', ms: 100 })
    const refresher = await at.open()
    const stop = new AbortController()
    const gone = refresher.access(stop.signal)
    const stays = refresher.access()
    stop.abort(new Error('the cell has ended'))
    await expect(gone).rejects.toThrow('the cell has ended')
    expect((await stays).text()).toBe(at.server.newest(at.first.refresh)?.access)
  })

  test('closed while a renewal is on its way, it still writes the answer back', async () => {
    await using at = await bench('claude', -60)
    at.server.next({ kind: 'slow', ms: 100 })
    const refresher = await at.open()
    const access = refresher.access().catch(() => undefined)
    refresher.close()
    await access
    expect((await at.login()).refresh?.text()).toBe(at.server.newest(at.first.refresh)?.refresh)
    await expect(refresher.access()).rejects.toThrow('closed')
  })
})

describe('a service that does not do its part', () => {
  test('while the old token works, failures are reported once, waited out and asked again', async () => {
    await using at = await bench('claude', 200)
    at.server.next({ kind: 'status', status: 503, headers: { 'retry-after': '30' } }, { kind: 'status', status: 429 })
    const refresher = await at.open()
    for (let each = 0; each < 5; each++) expect((await refresher.access()).text()).toBe(at.first.access)
    expect(at.server.seen).toHaveLength(1)
    expect(at.notices).toEqual([
      'The login of claude could not be renewed: platform.claude.com answered with HTTP 503. The current token still works.',
    ])
    at.clock.ahead = 29_000
    await refresher.access()
    expect(at.server.seen).toHaveLength(1)
    at.clock.ahead = 31_000
    await refresher.access()
    expect(at.server.seen).toHaveLength(2)
    at.clock.ahead = 60_000
    expect((await refresher.access()).text()).not.toBe(at.first.access)
    expect(at.server.seen).toHaveLength(3)
    expect(at.events.map((each) => each.data['outcome'])).toEqual(['failed', 'failed', 'refreshed'])
  })

  test.each([
    ['500', { kind: 'status', status: 500, body: 'oops' }, 'answered with HTTP 500.'],
    ['another error', { kind: 'status', status: 400, body: '{"error":"invalid_client"}' }, 'answered with HTTP 400 (invalid_client).'],
    ['a redirect', { kind: 'status', status: 302, headers: { location: 'https://evil.example/' } }, 'answered with HTTP 302.'],
    ['garbage', { kind: 'body', body: '<html>welcome' }, 'answered with something that is not a token.'],
    [
      'a token with a line break',
      { kind: 'body', body: '{"access_token":"a\\r\\nX-Evil: 1"}' },
      'answered with something that is not a token.',
    ],
    ['too much', { kind: 'body', body: 'x'.repeat(300_000) }, 'answered with more than any token.'],
    ['silence', { kind: 'hang' }, 'did not answer within 0.3 s.'],
  ] as const)('%s: one sentence after three tries, nothing overwritten', async (_name, behaviour, sentence) => {
    await using at = await bench('codex', -60)
    const before = readFileSync(at.file, 'utf8')
    at.server.next(behaviour, behaviour, behaviour)
    // Only a server that is silent on purpose may be slow.
    const refresher = await at.open({ transport: at.server.transport(behaviour.kind === 'hang' ? 300 : undefined) })
    const error = await failure(refresher.access())
    expect(error.code).toBe('LOGIN_NOT_RENEWED')
    expect(error.message).toBe(`The login of codex could not be renewed: auth.openai.com ${sentence}`)
    expect(at.server.seen).toHaveLength(3)
    expect(readFileSync(at.file, 'utf8')).toBe(before)
    at.clock.ahead += 20_000
    expect((await refresher.access()).text()).toBe(at.server.newest(at.first.refresh)?.access)
  })

  test('a certificate for another name, an unknown name, a closed port', async () => {
    await using at = await bench('claude', -60)
    await using other = await startOAuthServer()
    const { httpsTransport } = await import('../../../src/credentials/refresh/transport.ts')
    const wrong = httpsTransport({ ca: other.ca, address: { host: '127.0.0.1', port: at.server.port } })
    const refresher = await at.open({ transport: wrong })
    expect((await failure(refresher.access())).message).toMatch(/the certificate of platform\.claude\.com was not accepted \(\w+\)\.$/)
    expect(at.server.seen).toEqual([])
    at.clock.ahead += 20_000
    const closed = await at.open({ transport: httpsTransport({ address: { host: '127.0.0.1', port: 1 } }) })
    expect((await failure(closed.access())).message).toContain('platform.claude.com could not be reached (ECONNREFUSED).')
  })

  test('a refresh token that is not taken is a login to be made again, and is not asked for twice', async () => {
    await using at = await bench('codex', -60, { errors: 'openai' })
    putLogin(at.home, 'codex', { ...at.first, refresh: 'refresh-of-nobody-000000' })
    const refresher = await at.open()
    for (let each = 0; each < 3; each++) {
      const error = await failure(refresher.access())
      expect(error).toMatchObject({
        code: 'LOGIN_NEEDED',
        message: 'The login of codex is no longer accepted (refresh_token_reused).',
        hint: 'Run: codex login',
      })
    }
    await failure((await at.open()).access())
    expect(at.server.seen).toHaveLength(1)
    // A new login is tried again.
    const again = at.server.login(-60)
    putLogin(at.home, 'codex', again)
    expect((await refresher.access()).text()).toBe(at.server.newest(again.refresh)?.access)
  })

  test('an answer that was lost on its way is reported if it was the end of the login', async () => {
    await using at = await bench('claude', -60)
    at.server.next({ kind: 'lose' })
    const refresher = await at.open()
    const error = await failure(refresher.access())
    expect(error.code).toBe('LOGIN_NEEDED')
    expect(error.message).toMatch(/^The login of claude is no longer accepted \(invalid_grant\); a renewal at 20\S+Z was cut off before/)
    expect(error.hint).toBe('Run: claude /login')
  })

  test('a login that is gone, and one with nothing to renew it with', async () => {
    await using at = await bench('claude', -60)
    const refresher = await at.open()
    await writeFile(at.file, JSON.stringify({ claudeAiOauth: { accessToken: 'ended', expiresAt: 1_700_000_000_000 } }))
    expect((await failure(refresher.access())).message).toBe('The claude login has expired, and contains nothing to renew it with.')
    await writeFile(at.file, '{}')
    expect((await failure(refresher.access())).message).toContain('The login of claude is gone from /')
    await writeFile(at.file, '{"claudeAiOauth":{"accessT')
    expect((await failure(refresher.access())).message).toContain('is cut off')
    expect(readFileSync(at.file, 'utf8')).toBe('{"claudeAiOauth":{"accessT')
    expect(at.server.seen).toEqual([])
  })

  test('without the client of the installed CLI gemini renews its login itself', async () => {
    await using at = await bench('gemini', -60)
    const refresher = await at.open({ place: { ...at.place, env: { PATH: putGemini(path.join(at.home, 'other'), null) } } })
    expect(await failure(refresher.access())).toMatchObject({
      code: 'LOGIN_NEEDED',
      message: 'Paddock does not know how to renew the login of gemini.',
      hint: expect.stringContaining('Start gemini once outside a cell'),
    })
    expect(at.server.seen).toEqual([])
  })

  test.each([true, false])(
    'a wrong clock is reported, and does not make a good token bad (reported lifetime: %s)',
    async (tellsLifetime) => {
      await using at = await bench('codex', -60, { tellsLifetime })
      at.clock.ahead = 48 * 3_600_000
      const refresher = await at.open()
      await refresher.access()
      await refresher.access()
      expect(at.server.seen).toHaveLength(1)
      expect(at.notices).toEqual(['the clock of this machine is 2880 min ahead; set it right'])
    },
  )
})

test('no secret in an event, a notice, an error, or the file of an intent', async () => {
  await using at = await bench('claude', 200)
  at.server.next({ kind: 'status', status: 500 })
  const refresher = await at.open()
  await refresher.access()
  const directory = path.join(at.state, 'credentials/refresh')
  const files = (await left(at)).map((each) => path.join(directory, each))
  expect(files).toHaveLength(1)
  const kept = files.map((each) => readFileSync(each, 'utf8')).join()
  expect(statSync(files[0] ?? '').mode & 0o777).toBe(0o600)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  at.clock.ahead = 60_000
  at.server.next({ kind: 'lose' })
  await refresher.access()
  at.clock.ahead = 250_000
  const error = await failure(refresher.access())
  const all = JSON.stringify([at.events, at.notices, kept, error.message, error.hint, error.stack, String(error.cause)])
  for (const each of [at.first.access, at.first.refresh, 'refresh-']) expect(all).not.toContain(each)
})
