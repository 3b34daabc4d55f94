import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { resolvePaths } from '../../../src/base/paths.ts'
import { openForges } from '../../../src/credentials/forge/forge-access.ts'
import { HostLogins } from '../../../src/credentials/stored-logins.ts'
import { parseRepository } from '../../../src/egress/forge/repository.ts'
import type { ConfigLogin } from '../../../src/git/config-logins.ts'
import { temporary } from '../../support/temporary.ts'

const hosts = `
github.com:
    users:
        old: { oauth_token: gho_the-token-of-old }
        me: { oauth_token: gho_the-token-of-me }
    user: me
ghe.example:
    user: me
    oauth_token: gho_the-token-of-ghe
`

function machine(home: string) {
  mkdirSync(path.join(home, '.config/gh'), { recursive: true })
  writeFileSync(path.join(home, '.config/gh/hosts.yml'), hosts, { mode: 0o600 })
  const env = { HOME: home, PADDOCK_HOME: path.join(home, 'paddock') }
  return new HostLogins({ formats: [], paths: resolvePaths(env), env: {}, audit: () => undefined, notice: () => undefined })
}

const open = (
  logins: HostLogins,
  texts: readonly string[],
  env: Readonly<Record<string, string>> = {},
  login = true,
  remotes: readonly ConfigLogin[] = [],
) => openForges({ repositories: texts.map((each) => parseRepository(each)), env, login, remotes }, logins)
const never = new AbortController().signal

/** Returns the credential that git itself gets from this configuration. */
function fill(directory: string, gitConfig: string, url: string): string {
  const file = path.join(directory, 'gitconfig')
  writeFileSync(file, gitConfig)
  const env = { PATH: '/usr/bin:/bin', GIT_CONFIG_SYSTEM: file, GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0', HOME: directory }
  try {
    return execFileSync('git', ['credential', 'fill'], {
      env,
      cwd: directory,
      input: `url=${url}\n\n`,
      stdio: ['pipe', 'pipe', 'ignore'],
    }).toString()
  } catch {
    return 'none'
  }
}

test('the login that is active in gh, as a new placeholder for each cell, which git has only for the named repositories', async () => {
  await using directory = await temporary()
  const logins = machine(directory.path)
  const forges = await open(logins, ['github.com/me/it', 'github.com/org/*'])
  const [one, other] = [forges.forCell(), forges.forCell()]
  expect(forges.notes).toEqual([])
  expect(Object.keys(one.env)).toEqual(['GH_TOKEN'])
  const placeholder = one.env['GH_TOKEN'] ?? ''
  expect(placeholder).toMatch(/^gho_[A-Za-z0-9]{32,}$/)
  expect(other.env['GH_TOKEN']).not.toBe(placeholder)
  expect(JSON.stringify([one, other])).not.toMatch(/the-token/)
  const [credential] = one.credentials
  expect(credential?.placeholders()).toEqual([placeholder])
  expect((await credential?.secret(never))?.text()).toBe('gho_the-token-of-me')
  for (const url of ['me/it', 'me/it.git', 'me/it.git/info/lfs', 'org/any.git'])
    expect(fill(directory.path, one.gitConfig, `https://github.com/${url}`)).toContain(`username=x-access-token\npassword=${placeholder}\n`)
  for (const url of ['github.com/me/itx', 'github.com/other/it', 'github.com', 'ghe.example/me/it', 'github.com.example/me/it'])
    expect(fill(directory.path, one.gitConfig, `https://${url}`), url).toBe('none')
  expect(fill(directory.path, one.gitConfig, 'http://github.com/me/it')).toBe('none')
  await logins.close()
})

test('SSH addresses of the host are HTTPS ones', async () => {
  await using directory = await temporary()
  const logins = machine(directory.path)
  const file = path.join(directory.path, 'gitconfig')
  writeFileSync(file, (await open(logins, ['github.com/me/it'], {}, false)).forCell().gitConfig)
  const env = { PATH: '/usr/bin:/bin', GIT_CONFIG_SYSTEM: file, GIT_CONFIG_GLOBAL: '/dev/null', HOME: directory.path }
  const read = (url: string) => execFileSync('git', ['ls-remote', '--get-url', url], { env, cwd: directory.path }).toString().trim()
  for (const url of [
    'git@github.com:me/it.git',
    'ssh://git@github.com/me/it.git',
    'ssh://git@github.com:22/me/it.git',
    'ssh://github.com/me/it.git',
  ])
    expect(read(url)).toBe('https://github.com/me/it.git')
  expect(read('git@github.com.example:me/it')).toBe('git@github.com.example:me/it')
  await logins.close()
})

test('a variable that was named takes precedence over gh, and no other variable of the forge keeps a token', async () => {
  await using directory = await temporary()
  const logins = machine(directory.path)
  const named = { GITHUB_TOKEN: 'ghp_first-real', GH_TOKEN: 'ghp_second-real', OTHER: 'x' }
  const { env, credentials } = (await open(logins, ['github.com/me/it'], named)).forCell()
  expect(Object.keys(env).sort()).toEqual(['GH_TOKEN', 'GITHUB_TOKEN'])
  expect(env['GH_TOKEN']).toBe(env['GITHUB_TOKEN'])
  expect(env['GH_TOKEN']).toMatch(/^ghp_[A-Za-z0-9]{32,}$/)
  expect(credentials.map(({ name }) => name)).toEqual(['GH_TOKEN'])
  expect((await credentials[0]?.secret(never))?.text()).toBe('ghp_second-real')
  await logins.close()
})

test('other forges: the host that gh talks to, GitLab’s variable, and a note if there is no token', async () => {
  await using directory = await temporary()
  const logins = machine(directory.path)
  const enterprise = (await open(logins, ['ghe.example/me/it'])).forCell()
  expect(enterprise.env).toMatchObject({ GH_HOST: 'ghe.example', GH_ENTERPRISE_TOKEN: expect.stringMatching(/^gho_/) })
  expect((await open(logins, ['ghe.example/me/it', 'github.com/me/it'])).forCell().env).not.toHaveProperty('GH_HOST')
  const gitlab = (await open(logins, ['gitlab.com/g/s/it'], { GITLAB_TOKEN: 'glpat-a-real-one' })).forCell()
  expect(gitlab.env['GITLAB_TOKEN']).toMatch(/^glpat-[A-Za-z0-9]{32,}$/)
  expect(fill(directory.path, gitlab.gitConfig, 'https://gitlab.com/g/s/it.git')).toContain('username=oauth2\n')
  const without = await open(logins, ['codeberg.org/me/it', 'gitlab.com/me/it'])
  expect(without.notes).toEqual([
    expect.stringContaining('there is no token for codeberg.org, so the cell uses it anonymously'),
    expect.stringContaining('name one with --env GITLAB_TOKEN'),
  ])
  expect(without.forCell().credentials).toEqual([])
  expect(fill(directory.path, without.forCell().gitConfig, 'https://codeberg.org/me/it')).toBe('none')
  expect((await open(logins, [])).forCell()).toEqual({ env: {}, credentials: [], gitConfig: '' })
  await logins.close()
})

test('the login of a remote is the last source, with its own user', async () => {
  await using directory = await temporary()
  const logins = machine(directory.path)
  const remotes: readonly ConfigLogin[] = [
    { host: 'github.com', user: '', password: 'of the remote' },
    { host: 'git.example', user: 'gitlab+deploy-token-1', password: 'real-one' },
    { host: 'odd.example', user: 'a b;c', password: 'real-two' },
    { host: null, user: '', password: 'real-three' },
  ]
  const named = ['github.com/me/it', 'git.example/g/it', 'odd.example/g/it', 'any.example/g/it']
  const { credentials, gitConfig } = (await open(logins, named, {}, true, remotes)).forCell()
  const texts = await Promise.all(credentials.map(async (each) => (await each.secret(never)).text()))
  expect(texts).toEqual(['gho_the-token-of-me', 'real-one', 'real-two', 'real-three'])
  expect(gitConfig).not.toMatch(/real-/)
  expect(fill(directory.path, gitConfig, 'https://git.example/g/it.git')).toContain('username=gitlab+deploy-token-1\n')
  expect(fill(directory.path, gitConfig, 'https://odd.example/g/it.git')).toContain('username=x-access-token\n')
  expect((await open(logins, ['git.example/g/it'], {}, false, remotes)).forCell().credentials).toEqual([])
  await logins.close()
})
