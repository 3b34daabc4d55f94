import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openRefresher, type Refresher } from '../../src/credentials/refresh/refresher.ts'
import { type loginFiles, putLogin, readHostLogins } from '../support/host-login.ts'
import { type IssuedTokens, type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import { temporary } from '../support/temporary.ts'

const program = path.join(import.meta.dirname, '../fixtures/refresh-child.ts')

interface Stage extends AsyncDisposable {
  readonly server: OAuthServer
  readonly home: string
  readonly state: string
  readonly file: string
  readonly first: IssuedTokens
  start(step?: string): ChildProcess
  open(): Promise<Refresher>
}

async function stage(agent: keyof typeof loginFiles): Promise<Stage> {
  const place = await temporary()
  const server = await startOAuthServer()
  const first = server.login(-60)
  const [home, state, ca] = [place.at('home'), place.at('state'), place.at('ca.pem')]
  const file = putLogin(home, agent, first)
  writeFileSync(ca, server.ca)
  const children: ChildProcess[] = []
  const loginPlace = { home, env: {}, platform: 'linux' } as const
  return {
    server,
    home,
    state,
    file,
    first,
    start(step = 'none') {
      const args = [program, agent, home, state, String(server.port), ca, step]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: {} })
      children.push(child)
      return child
    },
    async open() {
      const login = (await readHostLogins(agent, loginPlace)).find((each) => each.refresh !== null)
      if (login === undefined) throw new Error('no login')
      return openRefresher(login, { stateDirectory: state, place: loginPlace, audit: () => undefined, transport: server.transport() })
    },
    async [Symbol.asyncDispose]() {
      for (const each of children) each.kill('SIGKILL')
      await server[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}

async function line(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    if (text.endsWith('\n')) break
  }
  return text.trim()
}

// For claude, its own locks would be enough. codex has no locks that Paddock can take.
test.each(['claude', 'codex'] as const)('six processes at once make one request (%s)', async (agent) => {
  await using at = await stage(agent)
  at.server.next({ kind: 'slow', ms: 300 })
  const tokens = await Promise.all(Array.from({ length: 6 }, () => line(at.start())))
  expect(new Set(tokens)).toEqual(new Set([at.server.newest(at.first.refresh)?.access]))
  expect(at.server.seen).toHaveLength(1)
})

test.each([
  ['before-intent', 1, 'claude'],
  ['before-request', 1, 'codex'],
  ['before-write-back', 1, 'claude'],
  ['before-write-back', 1, 'codex'],
  ['before-write-back', 1, 'opencode'],
  ['after-write-back', 1, 'claude'],
] as const)('killed %s, the next one has a login (%i request, %s)', async (step, requests, agent) => {
  await using at = await stage(agent)
  const child = at.start(step)
  expect(await line(child)).toBe(step)
  const answered = at.server.seen.length
  child.kill('SIGKILL')
  await once(child, 'exit')
  const left = await readdir(path.join(at.state, 'credentials/refresh'))
  for (const each of left.filter((name) => name.endsWith('.json')))
    expect((await stat(path.join(at.state, 'credentials/refresh', each))).mode & 0o777).toBe(0o600)
  expect(left.some((each) => each.endsWith('answer.json'))).toBe(answered === 1)
  const refresher = await at.open()
  const token = (await refresher.access()).text()
  expect(token).toBe(at.server.newest(at.first.refresh)?.access)
  expect(at.server.seen).toHaveLength(requests)
  const [login] = (await readHostLogins(agent, { home: at.home, env: {}, platform: 'linux' })).filter((each) => each.refresh !== null)
  expect(login?.refresh?.text()).toBe(at.server.newest(at.first.refresh)?.refresh)
  expect((await readdir(path.join(at.state, 'credentials/refresh'))).filter((each) => each.endsWith('.json'))).toEqual([])
  refresher.close()
})

test('after a kill with an unread response, the next one says what happened and how to fix it', async () => {
  await using at = await stage('claude')
  const child = at.start('answer-unread')
  expect(await line(child)).toBe('answer-unread')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const refresher = await at.open()
  await expect(refresher.access()).rejects.toMatchObject({
    code: 'LOGIN_NEEDED',
    message: expect.stringMatching(/invalid_grant\); a renewal at 20\S+Z was cut off before its answer came/),
    hint: 'Run: claude /login',
  })
  refresher.close()
})

test('a new login after the kill is not replaced by the leftover one', async () => {
  await using at = await stage('claude')
  const child = at.start('before-write-back')
  expect(await line(child)).toBe('before-write-back')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const anew = at.server.login(3_600)
  putLogin(at.home, 'claude', anew)
  const before = readFileSync(at.file, 'utf8')
  const refresher = await at.open()
  expect((await refresher.access()).text()).toBe(anew.access)
  expect(readFileSync(at.file, 'utf8')).toBe(before)
  expect((await readdir(path.join(at.state, 'credentials/refresh'))).filter((each) => each.endsWith('.json'))).toEqual([])
  refresher.close()
})

test('an unfinished renewal is completed even if the login is still valid', async () => {
  await using at = await stage('codex')
  const child = at.start('before-write-back')
  expect(await line(child)).toBe('before-write-back')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const refresher = await at.open()
  await refresher.settle()
  expect(readFileSync(at.file, 'utf8')).toContain(at.server.newest(at.first.refresh)?.refresh)
  expect(at.server.seen).toHaveLength(1)
  refresher.close()
})

test('while claude itself has its lock, Paddock waits, and uses what claude wrote', async () => {
  await using at = await stage('claude')
  const lock = path.join(at.home, '.claude/.oauth_refresh.lock')
  mkdirSync(lock)
  const refresher = await at.open()
  const access = refresher.access()
  await setTimeout(400)
  expect(at.server.seen).toEqual([])
  const theirs = at.server.login(3_600)
  putLogin(at.home, 'claude', theirs)
  rmdirSync(lock)
  expect((await access).text()).toBe(theirs.access)
  expect(at.server.seen).toEqual([])
  refresher.close()
})

test('the locks that a killed Paddock took of claude are not waited for', async () => {
  await using at = await stage('claude')
  const locks = [path.join(at.home, '.claude/.oauth_refresh.lock'), path.join(at.home, '.claude.lock')]
  const child = at.start('before-write-back')
  await line(child)
  for (const each of locks) expect(existsSync(each)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  for (const each of locks) expect(existsSync(each)).toBe(true)
  const refresher = await at.open()
  await refresher.settle()
  for (const each of locks) expect(existsSync(each)).toBe(false)
  refresher.close()
})
