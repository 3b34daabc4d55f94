import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HostLogin, LoginPlace } from '../../src/credentials/agent-login.ts'
import { openRefresher, type RefresherDeps } from '../../src/credentials/refresh/refresher.ts'
import { identify } from '../../src/system/process-identity.ts'
import { putLogin, readHostLogins } from '../support/host-login.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { temporary } from '../support/temporary.ts'

const service = 'Claude Code-credentials'
const stored = (access: string, more: object = {}): string =>
  JSON.stringify({
    claudeAiOauth: { accessToken: access, refreshToken: 'refresh-1', expiresAt: 4_000_000_000_000, scopes: ['a'] },
    ...more,
  })

interface Mac extends AsyncDisposable {
  readonly place: LoginPlace
  item(text: string, service?: string): Promise<void>
  mood(mood: string): Promise<void>
  read(): Promise<readonly HostLogin[]>
  items(): Record<string, string>
  calls(): { args: string[]; env: Record<string, string>; pid: number }[]
}

/** Returns a home with a Keychain that a fake security(1) serves. */
async function mac(env: Record<string, string> = {}): Promise<Mac> {
  const at = await temporary()
  const [home, keychain, program] = [at.at('home'), at.at('keychain'), at.at('security')]
  await mkdir(home)
  await mkdir(keychain)
  const script = path.join(import.meta.dirname, '../fixtures/security.mjs')
  const quoted = [process.execPath, script, keychain].map((each) => `'${each.replaceAll("'", "'\\''")}'`).join(' ')
  await writeFile(program, `#!/bin/sh\n${quoted} "$@"\nexit $?\n`)
  await chmod(program, 0o755)
  const place: LoginPlace = {
    home,
    env: { USER: 'somebody', HOME: home, ANTHROPIC_API_KEY: 'canary-of-the-environment', ...env },
    platform: 'darwin',
    security: program,
    patienceMs: 5_000,
  }
  const items = (): Record<string, string> => {
    const file = path.join(keychain, 'items.json')
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  }
  return {
    place,
    items,
    item: (text, name = service) =>
      writeFile(path.join(keychain, 'items.json'), JSON.stringify({ ...items(), [`somebody/${name}`]: text })),
    mood: (mood) => writeFile(path.join(keychain, 'mood.txt'), mood),
    read: () => readHostLogins('claude', place),
    calls: () =>
      readFileSync(path.join(keychain, 'calls.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((each) => JSON.parse(each) as { args: string[]; env: Record<string, string>; pid: number }),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

describe('a login in the Keychain', () => {
  test('is read', async () => {
    await using it = await mac()
    await it.item(stored('access-1'))
    const [login, ...more] = await it.read()
    expect(more).toEqual([])
    expect(login?.source).toEqual({ kind: 'keychain', service, account: 'somebody' })
    expect(login?.access.text()).toBe('access-1')
    expect(login?.facts).toEqual({ scopes: ['a'] })
    expect(it.calls().map((each) => each.args)).toEqual([['find-generic-password', '-a', 'somebody', '-s', service, '-w']])
    expect(JSON.stringify(it.calls())).not.toContain('canary-of-the-environment')
  })

  test('is read also where the program prints it in hexadecimal digits', async () => {
    await using it = await mac()
    await it.item(stored('access-1', { note: 'é' }))
    expect((await it.read())[0]?.access.text()).toBe('access-1')
  })

  test('has another name where the CLI was given another directory', async () => {
    await using it = await mac({ CLAUDE_CONFIG_DIR: '/elsewhere/claude' })
    const hash = createHash('sha256').update('/elsewhere/claude').digest('hex').slice(0, 8)
    await it.item(stored('the usual one'.replaceAll(' ', '-')))
    await it.item(stored('the-other-one'), `${service}-${hash}`)
    expect((await it.read())[0]?.access.text()).toBe('the-other-one')
  })

  test('not found: the file is looked for', async () => {
    await using it = await mac()
    expect(await it.read()).toEqual([])
    putLogin(it.place.home, 'claude', { access: 'of-the-file', refresh: 'r', id: '', expiresAt: new Date(4_000_000_000_000) })
    expect((await it.read())[0]).toMatchObject({ source: { kind: 'file' } })
  })

  test.each([
    ['locked', 'is locked, and nobody can be asked for its password here', 'Unlock it with: security unlock-keychain'],
    ['failed', 'refused it', 'Allow access to the item in Keychain Access, for the program "security"'],
    ['denied', 'was asked, and access was denied', 'Run it again and allow the access'],
    ['odd', 'answered with code 189', 'Look at it in Keychain Access. Run: claude /login'],
  ])('%s: one sentence and the fix', async (mood, why, hint) => {
    await using it = await mac()
    await it.item(stored('access-1'))
    await it.mood(mood)
    await expect(it.read()).rejects.toMatchObject({
      code: 'LOGIN_NEEDED',
      message: `The login of claude was not handed out: the Keychain ${why} (item "${service}").`,
      hint,
    })
  })

  test('an unanswered question ends, and so does the program with all its children', async () => {
    await using it = await mac()
    await it.item(stored('access-1'))
    await it.mood('hangs')
    const place = { ...it.place, patienceMs: 700 }
    await expect(readHostLogins('claude', place)).rejects.toMatchObject({
      code: 'LOGIN_NEEDED',
      message: 'The login of claude was not handed out: the Keychain did not answer within 1 s.',
    })
    const [call] = it.calls()
    await expect.poll(async () => (await identify(call?.pid ?? 0)) === null).toBe(true)
  })

  test('no such program; an item that is not a login', async () => {
    await using it = await mac()
    await expect(readHostLogins('claude', { ...it.place, security: '/nowhere/security' })).rejects.toMatchObject({
      message: 'The login of claude was not handed out: the Keychain cannot be asked, because /nowhere/security cannot be run.',
    })
    await it.item('{"claudeAiOauth":{"accessToken":"canary-in-the-it')
    const error: unknown = await it.read().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(`the Keychain item "${service}" is cut off`) })
    expect(String((error as Error).stack)).not.toContain('canary-in')
  })
})

describe('a renewed login of the Keychain', () => {
  const open = async (it: Mac, deps: Pick<RefresherDeps, 'transport' | 'notice'>) => {
    const [login] = await it.read()
    if (login === undefined) throw new Error('no login')
    return openRefresher(login, { stateDirectory: path.join(it.place.home, 'state'), place: it.place, audit: () => undefined, ...deps })
  }
  const text = (access: string, refresh: string, more: object = {}): string =>
    JSON.stringify({ claudeAiOauth: { accessToken: access, refreshToken: refresh, expiresAt: 1_700_000_000_000, scopes: ['a'] }, ...more })

  test('goes back by standard input, and no argument of any program shows it', async () => {
    await using it = await mac()
    await using server = await startOAuthServer()
    const first = server.login(-60)
    await it.item(text('old-access', first.refresh, { mcpOAuth: { kept: 1 } }))
    const refresher = await open(it, { transport: server.transport() })
    const access = (await refresher.access()).text()
    const newest = server.newest(first.refresh)
    const there = JSON.parse(it.items()[`somebody/${service}`] ?? '') as { claudeAiOauth: Record<string, unknown>; mcpOAuth: unknown }
    expect(there.claudeAiOauth).toMatchObject({ accessToken: access, refreshToken: newest?.refresh, scopes: ['a'] })
    expect(there.mcpOAuth).toEqual({ kept: 1 })
    expect(it.calls().some((each) => each.args[0] === '-i')).toBe(true)
    const argv = JSON.stringify(it.calls())
    for (const each of [access, newest?.refresh ?? '', Buffer.from(access).toString('hex'), first.refresh]) expect(argv).not.toContain(each)
    refresher.close()
  })

  test('that cannot be written now is kept, used, and written later', async () => {
    await using it = await mac()
    await using server = await startOAuthServer()
    const first = server.login(-60)
    await it.item(text('old-access', first.refresh))
    const notices: string[] = []
    const transport = server.transport()
    const refresher = await open(it, {
      notice: (sentence) => notices.push(sentence),
      async transport(request) {
        const response = await transport(request)
        await it.mood('locked')
        return response
      },
    })
    const access = (await refresher.access()).text()
    expect(access).toBe(server.newest(first.refresh)?.access)
    expect(notices).toEqual([
      expect.stringMatching(/^the renewed login of claude is not written back yet: .* is locked, .* it is kept, .*unlock-keychain\)$/),
    ])
    expect(it.items()[`somebody/${service}`]).toContain('old-access')
    refresher.close()
    await it.mood('open')
    const later = await open(it, { transport })
    expect((await later.access()).text()).toBe(access)
    expect(it.items()[`somebody/${service}`]).toContain(server.newest(first.refresh)?.refresh)
    expect(server.seen).toHaveLength(1)
    later.close()
  })

  test('that would be too long for it is not asked for', async () => {
    await using it = await mac()
    await using server = await startOAuthServer()
    const first = server.login(-60)
    await it.item(text('old-access', first.refresh, { mcpOAuth: 'x'.repeat(3_000) }))
    const refresher = await open(it, { transport: server.transport() })
    await expect(refresher.access()).rejects.toMatchObject({ message: expect.stringContaining('has grown too large') })
    expect(server.seen).toEqual([])
    refresher.close()
  })
})
