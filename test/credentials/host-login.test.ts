import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { chmod, chown, rename } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PaddockError } from '../../src/base/errors.ts'
import type { HostLogin } from '../../src/credentials/agent-login.ts'
import { openRefresher } from '../../src/credentials/refresh/refresher.ts'
import { claimsOf, timeOf, tokenOf } from '../../src/credentials/token-text.ts'
import { loginAgents, loginFiles, putLogin, readHostLogins } from '../support/host-login.ts'
import { type IssuedTokens, jwt, startOAuthServer } from '../support/oauth-server.ts'
import { temporary } from '../support/temporary.ts'

const end = new Date(4_000_000_000_000)
const tokens: IssuedTokens = {
  access: jwt({ exp: end.getTime() / 1000, access: true }),
  refresh: 'refresh-1',
  id: jwt({ email: 'person@mail.example', jti: 'x', 'https://api.openai.com/auth': { chatgpt_plan_type: 'plus' } }),
  expiresAt: end,
}
const isRoot = process.geteuid?.() === 0

function put(home: string, name: string, content: string): string {
  const file = path.join(home, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content, { mode: 0o600 })
  return file
}

const read = (home: string, agent: string, env: Record<string, string> = {}): Promise<readonly HostLogin[]> =>
  readHostLogins(agent, { home, env, platform: 'linux' })

/** Returns a login without its secrets, and the secrets as text. */
function shown(login: HostLogin | undefined): unknown {
  if (login === undefined) return undefined
  const { others = [], format: _, ...rest } = login
  return { ...rest, access: login.access.text(), refresh: login.refresh?.text() ?? null, others: others.map((each) => each.text()) }
}

describe('where each CLI keeps its login', () => {
  test('none of them is logged in', async () => {
    await using at = await temporary()
    for (const agent of loginAgents) expect(await read(at.path, agent)).toEqual([])
  })

  test('claude', async () => {
    await using at = await temporary()
    const file = putLogin(at.path, 'claude', tokens)
    put(at.path, '.claude.json', JSON.stringify({ oauthAccount: { emailAddress: 'person@mail.example' } }))
    expect(shown((await read(at.path, 'claude'))[0])).toEqual({
      agent: 'claude',
      provider: null,
      kind: 'subscription',
      source: { kind: 'file', path: file },
      account: 'person@mail.example',
      expiresAt: end,
      access: tokens.access,
      refresh: 'refresh-1',
      others: [],
      facts: { scopes: ['user:inference', 'user:profile'], subscriptionType: 'max' },
      warnings: [],
    })
    const other = at.at('other')
    mkdirSync(other)
    await rename(file, path.join(other, '.credentials.json'))
    expect(await read(at.path, 'claude')).toEqual([])
    expect(await read(at.path, 'claude', { CLAUDE_CONFIG_DIR: other })).toHaveLength(1)
  })

  test('codex: a subscription, and a key', async () => {
    await using at = await temporary()
    const file = putLogin(at.path, 'codex', tokens)
    expect(shown((await read(at.path, 'codex'))[0])).toMatchObject({
      kind: 'subscription',
      account: 'person@mail.example',
      expiresAt: end,
      access: tokens.access,
      refresh: 'refresh-1',
      others: [tokens.id],
      facts: {
        auth_mode: 'chatgpt',
        account_id: 'account-1',
        claims: { email: 'person@mail.example', 'https://api.openai.com/auth': { chatgpt_plan_type: 'plus' } },
      },
    })
    put(at.path, 'elsewhere/auth.json', JSON.stringify({ OPENAI_API_KEY: 'sk-key', auth_mode: 'apikey' }))
    const [key] = await read(at.path, 'codex', { CODEX_HOME: at.at('elsewhere') })
    expect(shown(key)).toMatchObject({ kind: 'key', access: 'sk-key', refresh: null, expiresAt: null })
    writeFileSync(file, JSON.stringify({ OPENAI_API_KEY: null, tokens: null }))
    expect(await read(at.path, 'codex')).toEqual([])
  })

  test('gemini, with what its settings say', async () => {
    await using at = await temporary()
    putLogin(at.path, 'gemini', tokens)
    put(at.path, '.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'oauth-personal' } } }))
    put(at.path, '.gemini/google_accounts.json', JSON.stringify({ active: 'active@mail.example', old: [] }))
    expect(shown((await read(at.path, 'gemini'))[0])).toMatchObject({
      account: 'active@mail.example',
      expiresAt: end,
      refresh: 'refresh-1',
      facts: { scope: 'a b', token_type: 'Bearer', selectedType: 'oauth-personal' },
    })
    expect(await read('/nowhere', 'gemini', { GEMINI_CLI_HOME: at.path })).toHaveLength(1)
  })

  test('opencode: an entry a provider', async () => {
    await using at = await temporary()
    const file = putLogin(at.path, 'opencode', tokens)
    const [openai, groq] = await read(at.path, 'opencode')
    expect(shown(openai)).toMatchObject({ provider: 'openai', kind: 'subscription', refresh: 'refresh-1', account: 'account-1' })
    expect(shown(groq)).toMatchObject({ provider: 'groq', kind: 'key', access: 'gsk-an-api-key-of-somebody', facts: { type: 'api' } })
    writeFileSync(
      file,
      JSON.stringify({ 'https://a.example': { type: 'wellknown', key: 'A_TOKEN', token: 'known' }, odd: { type: 'passkey' } }),
    )
    const [known, ...more] = await read(at.path, 'opencode')
    expect(more).toEqual([])
    expect(shown(known)).toMatchObject({ kind: 'key', access: 'known', facts: { type: 'wellknown', key: 'A_TOKEN' } })
    expect(known?.warnings).toEqual([`${file}: the entry of odd is of a kind that Paddock does not know`])
  })

  test('grok, in whatever form', async () => {
    await using at = await temporary()
    const file = put(at.path, '.grok/auth.json', JSON.stringify({ 'https://auth.x.ai': { key: 'xai-1', email: 'a@b.example' } }))
    expect(shown((await read(at.path, 'grok'))[0])).toMatchObject({
      kind: 'key',
      access: 'xai-1',
      account: 'a@b.example',
      facts: { tried: false },
    })
    writeFileSync(file, JSON.stringify({ access_token: 'a', refresh_token: 'r', expires_at: end.toISOString() }))
    expect(shown((await read(at.path, 'grok'))[0])).toMatchObject({ kind: 'subscription', access: 'a', refresh: 'r', expiresAt: end })
    writeFileSync(file, JSON.stringify({ other: 1 }))
    await expect(read(at.path, 'grok')).rejects.toThrow('contains no login that Paddock recognises')
  })

  test('gh: each user of each host, and the keyring', async () => {
    await using at = await temporary()
    const yaml = [
      'github.com:',
      '    git_protocol: https',
      '    users:',
      '        one:',
      '            oauth_token: gho_one',
      '        two:',
      '            oauth_token: gho_two',
      '    user: two',
      '    oauth_token: gho_two',
      'git.example.org:',
      '    user: three',
      '    users:',
      '        three: null',
    ].join('\n')
    put(at.path, '.config/gh/hosts.yml', yaml)
    const program = put(
      at.path,
      'bin/gh',
      '#!/bin/sh\n[ "$*" = "auth token --hostname git.example.org --user three" ] && [ -z "$GH_TOKEN" ] && echo gho_three\n',
    )
    chmodSync(program, 0o755)
    const env = { PATH: `${at.at('bin')}:/usr/bin:/bin`, GH_TOKEN: 'of-the-environment' }
    const place = { home: at.path, env, platform: 'linux', gh: program } as const
    const found = await readHostLogins('gh', place)
    expect(found.map((each) => [each.account, each.access.text(), each.facts['host'], each.facts['active'], each.source.kind])).toEqual([
      ['one', 'gho_one', 'github.com', false, 'file'],
      ['two', 'gho_two', 'github.com', true, 'file'],
      ['three', 'gho_three', 'git.example.org', true, 'keychain'],
    ])
    await expect(readHostLogins('gh', { ...place, gh: at.at('none/gh') })).rejects.toMatchObject({
      message: 'gh keeps its token for git.example.org in the keyring, and gh cannot be run.',
    })
    writeFileSync(program, '#!/bin/sh\nsleep 100\n')
    await expect(readHostLogins('gh', { ...place, patienceMs: 300 })).rejects.toThrow('did not answer')
  })
})

describe('a file that is not as it should be: one sentence, the fix, and not a word of what is in it', () => {
  const canary = 'canary-in-the-file'
  test.each([
    ['cut off', 'claude', `{"claudeAiOauth":{"accessToken":"${canary}`],
    ['no object', 'codex', `["${canary}"]`],
    ['of another program', 'claude', `{"claudeAiOauth":"${canary}"}`],
    ['of another program', 'codex', `{"tokens":{"access_token":17,"id_token":"${canary}"}}`],
    ['of another program', 'gemini', `{"something":"${canary}"}`],
    ['of a later version', 'codex', `{"auth_mode":"${canary}","tokens":null}`],
    ['of a later version', 'opencode', `{"openai":{"type":"${canary}"}}`],
    ['with a line break in a token', 'claude', `{"claudeAiOauth":{"accessToken":"${canary}\\nX: y"}}`],
    ['with a line break in a token', 'gemini', `{"access_token":"${canary}\\r\\n"}`],
  ] as const)('%s (%s)', async (_name, agent, content) => {
    await using at = await temporary()
    const file = put(at.path, loginFiles[agent], content)
    const error: unknown = await read(at.path, agent).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PaddockError)
    if (!(error instanceof PaddockError)) return
    expect(error.code).toBe('BAD_INPUT')
    expect(error.message).toContain(file)
    expect(error.message.split('. ')).toHaveLength(1)
    expect(error.hint).toMatch(/^Run: /)
    expect(JSON.stringify([error.message, error.hint, error.stack, String(error.cause)])).not.toContain(canary)
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  test.each([
    ['a directory', (file: string): void => void mkdirSync(file, { recursive: true }), 'is not a file'],
    ['far too large', (file: string): void => void put('/', file, ' '.repeat(2 * 1024 ** 2)), 'is too large'],
    ['a FIFO', (file: string): void => void spawnSync('mkfifo', [file]), 'is not a file'],
  ] as const)('%s', async (_name, make, why) => {
    await using at = await temporary()
    mkdirSync(at.at('.codex'))
    make(at.at('.codex/auth.json'))
    await expect(read(at.path, 'codex')).rejects.toThrow(why)
  })

  test('gh: a file that is not YAML', async () => {
    await using at = await temporary()
    put(at.path, '.config/gh/hosts.yml', `a: [${canary}`)
    const error: unknown = await read(at.path, 'gh').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('hosts.yml is cut off') })
    expect(String((error as Error).stack)).not.toContain(canary)
  })

  test('any content of a file gives logins or one sentence', async () => {
    await using at = await temporary()
    const field = fc.constantFrom(
      ...['claudeAiOauth', 'accessToken', 'refreshToken', 'expiresAt', 'scopes', 'tokens', 'access_token', 'id_token', 'OPENAI_API_KEY'],
      ...['expiry_date', 'type', 'key', 'access', 'refresh', 'expires', 'openai', '__proto__', 'constructor', 'users', 'oauth_token'],
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.double(),
        fc.constantFrom(null, 'api', 'oauth', 'token'),
        tie('object'),
        fc.array(tie('value'), { maxLength: 2 }),
      ),
      object: fc.dictionary(field, tie('value'), { maxKeys: 6 }),
    }))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('claude', 'codex', 'gemini', 'opencode'), fc.oneof(value, fc.string()), async (agent, content) => {
        put(at.path, loginFiles[agent], typeof content === 'string' ? content : JSON.stringify(content))
        const found = await read(at.path, agent).catch((error: unknown) => {
          if (error instanceof PaddockError) return []
          throw error
        })
        for (const each of found) expect(each.access.text()).toMatch(/^[\x21-\x7e]+$/)
      }),
      { numRuns: 200 },
    )
  })
})

describe('links and modes', () => {
  test('a file that others can read is reported, and read', async () => {
    await using at = await temporary()
    const file = putLogin(at.path, 'claude', tokens)
    await chmod(file, 0o644)
    const [login] = await read(at.path, 'claude')
    expect(login?.warnings).toEqual([`${file} is open to other users of this machine: chmod 600 ${file}`])
  })

  test('a linked file is followed, and renewed tokens go to where it leads, the link stays', async () => {
    await using at = await temporary()
    await using server = await startOAuthServer()
    const first = server.login(-60)
    const file = putLogin(at.path, 'codex', first)
    const target = at.at('dotfiles')
    mkdirSync(target, { mode: 0o700 })
    await rename(file, path.join(target, 'codex.json'))
    symlinkSync('../dotfiles/codex.json', file)
    await chmod(path.join(target, 'codex.json'), 0o640)
    if (isRoot) await chown(path.join(target, 'codex.json'), 61_234, 61_234)
    const [login] = await read(at.path, 'codex')
    expect(login?.source).toEqual({ kind: 'file', path: path.join(target, 'codex.json') })
    if (login === undefined) return
    const place = { home: at.path, env: {}, platform: 'linux' } as const
    const refresher = openRefresher(login, { stateDirectory: at.at('state'), place, audit: () => undefined, transport: server.transport() })
    const access = (await refresher.access()).text()
    refresher.close()
    expect(readFileSync(path.join(target, 'codex.json'), 'utf8')).toContain(access)
    expect(readFileSync(file, 'utf8')).toContain(access)
    const facts = statSync(path.join(target, 'codex.json'))
    expect(facts.mode & 0o777).toBe(0o640)
    if (isRoot) expect([facts.uid, facts.gid]).toEqual([61_234, 61_234])
  })

  test('a link through a directory that others can write to is refused, before and after', async () => {
    await using at = await temporary()
    await using server = await startOAuthServer()
    const file = putLogin(at.path, 'codex', server.login(-60))
    const target = at.at('dotfiles')
    mkdirSync(target, { mode: 0o700 })
    await rename(file, path.join(target, 'codex.json'))
    symlinkSync(path.join(target, 'codex.json'), file)
    const [login] = await read(at.path, 'codex')
    if (login === undefined) throw new Error('no login')
    await chmod(target, 0o777)
    await expect(read(at.path, 'codex')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: `${file} is a link through ${target}, where others can put another file in its place.`,
    })
    const place = { home: at.path, env: {}, platform: 'linux' } as const
    const refresher = openRefresher(login, { stateDirectory: at.at('state'), place, audit: () => undefined, transport: server.transport() })
    await expect(refresher.access()).rejects.toThrow('where others can put another file')
    expect(server.seen).toEqual([])
    refresher.close()
  })

  test('no tokens are requested if they could not be written', async ({ skip }) => {
    skip(isRoot, 'root may write everywhere')
    await using at = await temporary()
    await using server = await startOAuthServer()
    const file = putLogin(at.path, 'codex', server.login(-60))
    const [login] = await read(at.path, 'codex')
    if (login === undefined) throw new Error('no login')
    await chmod(path.dirname(file), 0o500)
    const place = { home: at.path, env: {}, platform: 'linux' } as const
    const refresher = openRefresher(login, { stateDirectory: at.at('state'), place, audit: () => undefined, transport: server.transport() })
    await expect(refresher.access()).rejects.toThrow('could not be written back')
    expect(server.seen).toEqual([])
    refresher.close()
    await chmod(path.dirname(file), 0o700)
  })

  test('a link that leads nowhere does not count as a login', async () => {
    await using at = await temporary()
    mkdirSync(at.at('.codex'))
    symlinkSync('nowhere.json', at.at('.codex/auth.json'))
    expect(await read(at.path, 'codex')).toEqual([])
    expect(existsSync(at.at('.codex/nowhere.json'))).toBe(false)
  })
})

describe('tokens and times', () => {
  test('a token that does not fit a header field is refused', () => {
    for (const each of ['', 'a b', 'a\nb', 'a\rb', 'a\0', 'é', null, 17, 'x'.repeat(70_000)]) expect(tokenOf('t', each)).toBeNull()
    expect(tokenOf('t', 'sk-ant-oat01_~+/=.')?.text()).toBe('sk-ant-oat01_~+/=.')
  })

  test('a time in milliseconds or seconds, or none', () => {
    expect(timeOf(1_800_000_000)).toEqual(timeOf(1_800_000_000_000))
    for (const each of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 9e15, '1', null]) expect(timeOf(each)).toBeNull()
  })

  test('claims of anything', () => {
    expect(claimsOf(jwt({ exp: 5 }))).toEqual({ exp: 5 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.base64String()).map((parts) => parts.join('.')),
        ),
        (text) => typeof claimsOf(text) === 'object',
      ),
    )
  })
})
