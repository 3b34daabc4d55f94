import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage, startPaddock } from '../../support/cli.ts'
import { type ForgeServer, openForgeServer } from '../../support/forge-server.ts'
import { internet } from '../../support/inspect-lab.ts'

const identity = 'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a GIT_TERMINAL_PROMPT=0; cd /tmp'
const git = (cwd: string, ...words: string[]): unknown => execFileSync('git', ['-c', 'safe.directory=*', ...words], { cwd })
const receive = /service=git-receive-pack|\/git-receive-pack/

describe.each(everyone)('repositories that a run was given, as %s', (who) => {
  let stage: Stage
  let forge: ForgeServer
  let token: string
  let env: Record<string, string>
  let pins: readonly string[]
  beforeEach(async () => {
    stage = makeStage(who)
    token = `gho_${randomBytes(18).toString('hex')}`
    forge = await openForgeServer(token)
    pins = ['github.com', 'api.github.com', 'elsewhere.example'].flatMap((each) => [
      each.startsWith('else') ? '--inspect' : '--allow',
      `${each}=127.0.0.1:${forge.port}`,
    ])
    const roots = path.join(stage.root, 'roots.pem')
    writeFileSync(roots, internet.certificate)
    env = { NODE_EXTRA_CA_CERTS: roots, SSH_AUTH_SOCK: '/tmp/agent.socket' }
    const gh = path.join(stage.home, '.config/gh')
    mkdirSync(gh, { recursive: true })
    writeFileSync(path.join(gh, 'hosts.yml'), `github.com:\n    user: me\n    oauth_token: ${token}\n    git_protocol: ssh\n`, {
      mode: 0o600,
    })
    stage.own()
  })
  afterEach(async () => {
    await forge[Symbol.asyncDispose]()
    stage[Symbol.dispose]()
  })
  const run = (script: string, ...args: string[]) => inCell(stage, `${identity}; ${script}`, { env, args: [...pins, ...args] })
  const withToken = () => forge.told.filter((each) => each.token === token)
  /** Returns everything that Paddock stores about its runs, as one text. */
  const kept = (directory = path.join(stage.root, 'paddock')): string =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(path.join(each.parentPath, each.name), 'latin1'))
      .join('\n')

  it('are cloned and fetched by HTTPS and by SSH addresses, and the token is nowhere in the cell', async () => {
    const ran = await run(
      `git clone -q https://github.com/me/private.git a && git clone -q git@github.com:me/private b && git clone -q ssh://git@github.com/me/private.git c &&
       git -C b fetch origin && git -C a log --format=%s && git -C b remote -v
       env; cat /etc/gitconfig; find /etc/paddock /etc/gitconfig "$HOME" /tmp /run -type f -size -1000k -exec cat {} + 2>/dev/null; tr '\\0' '\\n' < /proc/self/environ`,
      '--repo',
      'github.com/me/private',
    )
    expect(ran.stdout).toMatch(/^first\norigin\thttps:\/\/github\.com\/me\/private \(fetch\)/)
    expect(ran.stdout).toContain('GH_TOKEN=gho_')
    expect(ran.stdout).not.toContain(token)
    expect(ran.stdout).not.toContain(Buffer.from(`x-access-token:${token}`).toString('base64').slice(24))
    expect(ran.stdout).not.toContain('SSH_AUTH_SOCK')
    expect(withToken().length).toBeGreaterThan(5)
    expect(
      withToken().every(({ host, url }) => host === 'github.com' && /^\/me\/private(?:\.git)?\//.test(url) && !receive.test(url)),
    ).toBe(true)
    expect(kept()).not.toContain(token)
    expect(kept()).toContain('gh login (github.com)')
  })

  it('are not pushed to where they were named for reading', async () => {
    const ran = await run(
      `git clone -q https://github.com/me/private.git a && cd a && git commit -q --allow-empty -m pushed; git push origin main 2>&1; echo code $?
       standin=$(printf 'x-access-token:%s' "$GH_TOKEN" | base64 -w0)
       curl -s -o /dev/null -w '%{http_code}\\n' -H "Authorization: Basic $standin" -X POST --data-binary 0000 https://github.com/me/private.git/git-receive-pack`,
      '--repo',
      'github.com/me/private',
      // Even if the user’s own rule allows pushes, a repository named for reading has no token for them.
      ...(who === 'user' ? ['--rule', 'allow * github.com/**'] : []),
    )
    expect(ran.stdout).toMatch(/\ncode (?:1|128)\n/)
    if (who === 'root')
      expect(ran.stdout).toContain('remote: paddock: denied by rule "deny * /**/info/refs?service=git-receive-pack" (repo)')
    expect(ran.stdout).toMatch(who === 'root' ? /\n403\n$/ : /\n401\n$/)
    expect(forge.log('me/private')).toBe('first\n')
    expect(withToken().filter(({ url }) => receive.test(url))).toEqual([])
  })

  it('are the only ones that the token is used for; public ones need none', async () => {
    const ran = await run(
      `git clone -q https://github.com/pub/open.git open && git -C open log --format=%s
       git clone -q https://github.com/me/other.git other 2>&1 || echo no other
       standin=$(printf 'x-access-token:%s' "$GH_TOKEN" | base64 -w0)
       for each in me/other.git me/private.git/../other.git me/private.git%2f..%2fother.git me/private.git/..%2fother.git 'me/private.git;/../other.git'; do
         curl -s --path-as-is -o /dev/null -w '%{http_code}\\n' -H "Authorization: Basic $standin" "https://github.com/$each/info/refs?service=git-upload-pack"
       done
       git clone -q https://github.com/me/moved.git moved 2>&1 || echo not moved
       curl -sL -o /dev/null -w '%{http_code}\\n' --location-trusted -H "Authorization: Basic $standin" 'https://github.com/me/moved.git/info/refs?service=git-upload-pack'`,
      '--repo',
      'github.com/me/private',
      '--repo',
      'github.com/me/moved',
    )
    expect(ran.stdout).toMatch(/^first\n/)
    expect(ran.stdout).toContain('no other')
    expect(ran.stdout).toContain('not moved')
    expect(withToken().map(({ host, url }) => `${host}${url.replace(/\?.*/, '')}`)).toEqual([
      'github.com/me/moved.git/info/refs',
      'github.com/me/moved.git/info/refs',
    ])
    const elsewhere = forge.told.filter(({ host }) => host === 'elsewhere.example')
    expect(elsewhere.length).toBeGreaterThan(0)
    expect(elsewhere.every((each) => each.token !== token)).toBe(true)
    expect(kept()).toContain('credential.astray')
    expect(forge.told.filter(({ host, token: sent }) => host === 'github.com' && sent !== null && sent !== token)).toEqual([])
    const open = forge.told.filter(({ url }) => url.includes('pub/open'))
    expect(open.length).toBeGreaterThan(1)
    expect(open.every((each) => each.token === null)).toBe(true)
  })

  it('are pushed to after an answer where they were named for writing', async () => {
    const script = `${identity}; git clone -q git@github.com:me/private.git a && cd a && for each in one two; do git commit -q --allow-empty -m $each; git push -q origin main 2>&1; echo code $?; done`
    const child = startPaddock(stage, ['run', ...pins, '--repo', 'github.com/me/private=write', '--', 'sh', '-c', script], { env })
    child.stdin?.end()
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        text += String(chunk)
      })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const answered = new Set<string>()
    for (const answer of ['deny', 'allow']) {
      let id: string | undefined
      while (id === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        id = [...text.matchAll(/paddock approvals allow ([0-9a-f]{8}) /g)].map((each) => each[1] ?? '').find((each) => !answered.has(each))
      }
      answered.add(id)
      expect(forge.log('me/private')).toBe('first\n')
      expect((await paddock(stage, ['approvals', answer, id])).code).toBe(0)
    }
    await ended
    expect(text).toContain('POST github.com:443/me/private.git/git-receive-pack')
    expect(text).toMatch(/code (?:1|128)\n/)
    expect(text).toMatch(/code 0\n/)
    expect(forge.log('me/private')).toBe('two\none\nfirst\n')
    expect(answered.size).toBe(2)
  })

  it('have their part of the API, for reading; other repositories are reached without the token', async () => {
    const ran = await run(
      `api() { curl -s -H "Authorization: token $GH_TOKEN" -w ' %{http_code}\\n' "$@"; }; at=https://api.github.com
       api $at/repos/me/private; curl -s -H "Authorization: Bearer $GH_TOKEN" -w ' %{http_code}\\n' $at/user; api $at/repos/me/other; api $at/repos/pub/open
       api -X POST -d '{}' $at/repos/me/private/issues; api $at/repos/me/private/keys; api -X POST -d '{}' $at/graphql
       api -H 'X-HTTP-Method-Override: DELETE' $at/repos/me/private; api $at/repos/me/private/traffic/views
       next=$(curl -s -D- -o /dev/null -H "Authorization: token $GH_TOKEN" $at/repos/me/private/pulls | sed -n 's/^link: <\\(.*\\)>.*/\\1/Ip'); api "$next"; api $at/repositories/12/pulls`,
      '--repo',
      'github.com/me/private',
    )
    const [own, user, other, open, issue, keys, graphql, overridden, traffic, page, numbered] = ran.stdout.trimEnd().split(/(?<= \d{3})\n/)
    expect(own).toMatch(/"did":"GET \/repos\/me\/private","echo":"token \*+",.* 200$/)
    expect(user).toMatch(/"did":"GET \/user","echo":"Bearer \*+",.* 200$/)
    expect(other).toBe('{"message":"Not Found"} 404')
    expect(open).toMatch(/"echo":null.* 200$/)
    const denied = (text: string | undefined): unknown => JSON.parse(text?.replace(/ 403$/, '') ?? '')
    expect(denied(issue)).toEqual({
      message:
        'paddock: denied by rule "deny POST,PUT,PATCH,DELETE /repos/me/private/issues" (repo): POST api.github.com/repos/me/private/issues. To permit it: --repo github.com/me/private=write',
    })
    expect(keys).toContain(String.raw`denied by rule \"deny * /repos/*/*/keys/**\" (repo)`)
    expect(denied(graphql)).toEqual({
      message:
        'paddock: denied by rule "deny * /graphql" (repo): POST api.github.com/graphql. GraphQL cannot be held to one repository, so use REST: gh api repos/me/private/pulls',
    })
    expect(traffic).toMatch(/To permit it: --repo github\.com"\} 403$/)
    // The second page is asked for by name. The number is not known to be the repository's.
    expect(page).toMatch(/"did":"GET \/repos\/me\/private\/pulls".* 200$/)
    expect(numbered).toBe('{"message":"Not Found"} 404')
    expect(overridden).toMatch(/ 403$/)
    expect(withToken().map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /repos/me/private',
      'GET /user',
      'GET /repos/me/private/pulls',
      'GET /repos/me/private/pulls?page=2',
    ])
  })

  it('change by the API only after an answer, and never by what makes further credentials', async () => {
    const ran = await run(
      `api() { curl -s -H "Authorization: token $GH_TOKEN" -w ' %{http_code}\\n' "$@"; }; at=https://api.github.com
       api -X POST -d '{}' $at/repos/me/private/issues; api -X POST -d '{}' $at/repos/me/private/keys; api -X POST -d '{}' $at/repos/me/private/labels`,
      '--repo',
      'github.com/me/private=write',
      // The user’s own rules take precedence: labels without a question, and keys, which get no token even then.
      '--rule',
      'allow POST api.github.com/repos/me/private/labels',
      '--rule',
      'deny POST api.github.com/repos/me/private/issues',
      '--rule',
      'allow POST api.github.com/repos/me/private/keys',
    )
    const [issue, keys, labels] = ran.stdout.trimEnd().split(/(?<= \d{3})\n/)
    expect(issue).toMatch(/ 403$/)
    expect(keys).toBe('{"message":"Not Found"} 404')
    expect(labels).toContain('"did":"POST /repos/me/private/labels"')
    expect(withToken().map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /repos/me/private/labels'])
  })

  it('have the token of a variable that was named, which the cell does not hold', async () => {
    const named = `ghp_${randomBytes(18).toString('hex')}`
    const ran = await inCell(stage, `${identity}; env; git clone -q git@github.com:me/private.git a 2>&1; echo done`, {
      env: { ...env, GITHUB_TOKEN: named },
      args: [...pins, '--env', 'GITHUB_TOKEN', '--repo', 'github.com/me/private'],
    })
    expect(ran.stdout).toMatch(/^GITHUB_TOKEN=ghp_/m)
    expect(ran.stdout).not.toContain(named)
    expect(forge.told.some((each) => each.token === named)).toBe(true)
    expect(withToken()).toEqual([])
  })

  it('have the login of the project’s own remote, which the cell does not hold', async () => {
    rmSync(path.join(stage.home, '.config/gh'), { recursive: true })
    git(stage.project, 'init', '-qb', 'main', '.')
    git(stage.project, 'remote', 'add', 'origin', `https://x-access-token:${token}@github.com/me/private.git`)
    stage.own()
    const args = [...pins, '--repo', 'github.com/me/private=write', '--rule', 'allow POST github.com/me/private.git/git-receive-pack']
    const script = `cd "$OLDPWD"; git fetch -q origin 2>&1; git switch -qc new origin/main && git commit -qm x --allow-empty && git push -q origin new; git config --list; env`
    const ran = await inCell(stage, `${identity}; ${script}`, { env, args })
    expect(ran.stdout).toContain('remote.origin.url=https://github.com/me/private.git')
    expect(ran.stdout).not.toContain(token)
    expect(ran.stderr).not.toContain('does not get')
    expect(withToken().some((each) => receive.test(each.url))).toBe(true)
    expect(kept()).not.toContain(token)
    expect(readFileSync(path.join(stage.project, '.git/config'), 'utf8')).toContain(token)
  })

  it('are reached without a login if there is none, and that is reported', async () => {
    const args = [...pins, '--credentials', 'none', '--repo', 'github.com/pub/open']
    const ran = await paddock(stage, ['run', ...args, '--', 'sh', '-c', `${identity}; git clone -q git@github.com:pub/open.git a; env`], {
      env,
    })
    expect(ran.stderr).toContain('there is no token for github.com, so the cell uses it anonymously')
    expect(ran.stdout).not.toContain('GH_TOKEN')
    expect(forge.told.length).toBeGreaterThan(0)
    expect(forge.told.every((each) => each.token === null)).toBe(true)
    expect((await paddock(stage, ['run', '--egress', 'off', '--repo', 'github.com/pub/open', '--', 'true'], { env })).code).toBe(2)
  })
})
