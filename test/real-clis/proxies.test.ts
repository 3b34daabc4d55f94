import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { createSecureContext } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeIssuer } from '../../src/egress/inspect/tls/authority.ts'
import { findProgram } from '../../src/system/program-in-path.ts'
import { command, everyone, isLab, makeStage, mountableNode, needsRoot, paddock, type Stage } from '../support/cli.ts'
import { putLogin } from '../support/host-login.ts'
import { commandsThenText } from '../support/model-servers/script.ts'
import { startModelServer } from '../support/model-servers/server.ts'
import { openTestNetwork, type TestNetwork } from '../support/netns.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { until } from '../support/processes.ts'
import { openProxy, type ProxyServer } from '../support/proxy-server.ts'
import { modelHost, realAgents } from './agents.ts'
import { withRealClis } from './place.ts'

const [internet, corporate] = [makeIssuer(['*']), makeIssuer(['*'])]
const proxyPort = 3128

describe.each(everyone)('where a proxy with a login that ends all TLS is the only way out, as %s', (who) => {
  needsRoot('it makes a network namespace that another user can be in')
  let open: AsyncDisposableStack
  let stage: Stage
  let network: TestNetwork
  let hosts: Server
  const reaches: Record<string, number> = {}
  let answer: (host: string, url: string) => Buffer | string | null
  let modelPort: number
  let proxy: ProxyServer
  beforeEach(async () => {
    open = new AsyncDisposableStack()
    stage = open.use(makeStage(who))
    const model = await startModelServer({ script: commandsThenText(['echo made-in-the-cell > RESULT.md'], 'It is written.') })
    open.defer(() => model.close())
    modelPort = model.port
    answer = () => null
    hosts = createServer(
      { ...internet.issue('x.test'), SNICallback: (name, done) => done(null, createSecureContext(internet.issue(name))) },
      (request, response) => {
        const host = (request.headers.host ?? '').replace(/:\d+$/, '')
        if (host === modelHost) {
          const { method, url, headers } = request
          const passed = httpRequest({ port: modelPort, method, path: url, headers }, (got) => {
            response.writeHead(got.statusCode ?? 500, got.headers)
            got.pipe(response)
          })
          passed.on('error', () => response.destroy())
          return void request.pipe(passed)
        }
        const found = answer(host, request.url ?? '')
        if (found === null) response.writeHead(404).end()
        else response.end(found)
      },
    ).listen(0, '127.0.0.1')
    await once(hosts, 'listening')
    open.defer(() => void hosts.close())
    const { port } = hosts.address() as AddressInfo
    for (const each of [modelHost, 'web.test', 'git.test', 'npm.test', 'hook.test']) reaches[`${each}:443`] = port
    network = open.use(await openTestNetwork('root'))
    const listener = await network.listen('127.0.0.1', proxyPort)
    proxy = open.use(await openProxy({ login: 'corp\\me:p@ss', reaches, intercepts: corporate, listener }))
    mkdirSync(path.join(stage.root, 'certs'))
    writeFileSync(path.join(stage.root, 'certs/corp.pem'), corporate.certificate)
    stage.own()
  })
  afterEach(() => open.disposeAsync())

  /** Starts Paddock in the namespace, with nothing but the variables that every program of such a machine has. */
  const start = (args: readonly string[]) => {
    const [program = '', ...rest] = [...network.enter, ...command(who, args)]
    return spawn(program, rest, {
      cwd: stage.project,
      env: {
        ...withRealClis(stage.env, who),
        HTTPS_PROXY: `http://corp%5Cme:p%40ss@127.0.0.1:${proxyPort}`,
        NODE_EXTRA_CA_CERTS: path.join(stage.root, 'certs/corp.pem'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  const inside = async (args: readonly string[]) => {
    const child = start(args)
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { stdout, stderr, code: code as number | null }
  }

  it.each(realAgents)('$name works', async (agent) => {
    const endpoint = [
      '--base-url',
      `https://${modelHost}`,
      '--allow',
      modelHost,
      '--model',
      agent.model,
      '--env',
      `${agent.key}=placeholder`,
    ]
    const ran = await inside(['run', ...endpoint, '--prompt', 'Please write RESULT.md.', agent.name])
    expect(ran.code, ran.stderr).toBe(0)
    expect(readFileSync(path.join(stage.project, 'RESULT.md'), 'utf8')).toBe('made-in-the-cell\n')
    expect(proxy.asked.filter((each) => each === `${modelHost}:443 200`).length).toBeGreaterThan(0)
    expect(ran.stderr + ran.stdout).not.toMatch(/p@ss|p%40ss/)
  })

  it('curl, Python, git, npm and Go work, and trust the company', async () => {
    const repository = path.join(stage.root, 'served.git')
    execFileSync('sh', [
      '-ec',
      `git init -q --bare "$1"; w=$(mktemp -d); git -C "$w" init -q; git -C "$w" -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m served
       git -C "$w" push -q "$1" HEAD:refs/heads/main; git -C "$1" symbolic-ref HEAD refs/heads/main; git -C "$1" update-server-info; rm -rf "$w"`,
      'sh',
      repository,
    ])
    const packed = path.join(stage.root, 'packed')
    mkdirSync(path.join(packed, 'package'), { recursive: true })
    writeFileSync(path.join(packed, 'package/package.json'), '{"name":"tiny","version":"1.0.0"}')
    execFileSync('tar', ['czf', 'tiny.tgz', 'package'], { cwd: packed })
    answer = (host, url) => {
      if (host === 'web.test') return `served ${url}\n`
      if (host === 'git.test') return fileOf(repository, url.replace(/^\/served\.git/, ''))
      if (url === '/tiny.tgz') return readFileSync(path.join(packed, 'tiny.tgz'))
      const dist = { tarball: 'https://npm.test/tiny.tgz' }
      return JSON.stringify({
        name: 'tiny',
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': { name: 'tiny', version: '1.0.0', dist } },
      })
    }
    const go = findProgram('go', stage.env['PATH'] ?? '') !== null
    stage.put(
      'fetch.go',
      'package main\nimport ("fmt"; "io"; "net/http")\nfunc main() { r, e := http.Get("https://web.test/go"); if e != nil { panic(e) }; b, _ := io.ReadAll(r.Body); fmt.Print(string(b)) }\n',
    )
    stage.own()
    const npm = path.join(
      path.dirname(path.dirname(findProgram('npm', process.env['PATH'] ?? '') ?? '')),
      'lib/node_modules/npm/bin/npm-cli.js',
    )
    const script = [
      'curl -sS https://web.test/curl',
      `python3 -c 'import urllib.request as u; print(u.urlopen("https://web.test/python").read().decode(), end="")'`,
      'git clone -q https://git.test/served.git clone && git -C clone log --format=%s',
      ...(npm.startsWith('/usr') ? ['npm install --silent --no-audit --registry https://npm.test tiny && ls node_modules/tiny'] : []),
      ...(go ? ['GOFLAGS=-mod=mod GOCACHE=/tmp/go go run fetch.go'] : []),
    ].join('; ')
    const allowed = ['web.test', 'git.test', 'npm.test'].flatMap((each) => ['--allow', each])
    const ran = await inside(['run', ...allowed, '--ro', mountableNode(), '--', 'sh', '-c', script])
    const parts = [
      'served /curl\n',
      'served /python\n',
      'served\n',
      ...(npm.startsWith('/usr') ? ['package.json\n'] : []),
      ...(go ? ['served /go\n'] : []),
    ]
    expect(ran.stdout, ran.stderr).toBe(parts.join(''))
  })

  it('a model agent, a webhook and the renewal of a login work', async () => {
    const posted: string[] = []
    answer = (host, url) => {
      if (host !== 'hook.test') return null
      posted.push(url)
      return 'thanks'
    }
    const oauth = open.use(await startOAuthServer())
    reaches['platform.claude.com:443'] = oauth.port
    const [data, ready] = [path.join(stage.root, 'elsewhere/fleet'), path.join(stage.home, 'ready.json')]
    mkdirSync(path.dirname(data))
    const login = oauth.login(-60)
    const file = putLogin(stage.home, 'claude', login)
    stage.own()

    const checked = await inside(['credentials', 'check', '--online'])
    expect(checked.code, checked.stderr).toBe(0)
    expect(oauth.newest(login.refresh)?.refresh).not.toBe(login.refresh)
    expect(readFileSync(file, 'utf8')).toContain(oauth.newest(login.refresh)?.refresh)

    const server = start(['serve', '--data', data, '--listen', '127.0.0.1:0', '--ready-file', ready])
    open.defer(async () => {
      for (const host of globSync(path.join(data, 'agents/*/host/host.json'))) process.kill(pidIn(host), 'SIGKILL')
      process.kill(pidIn(ready), 'SIGKILL')
      await once(server, 'close')
    })
    server.stdout.resume()
    server.stderr.resume()
    await until(() => existsSync(ready))
    const fleet = async (...words: readonly string[]) => {
      const ran = await paddock(stage, [...words, '--data', data])
      expect(ran.code, ran.stderr).toBe(0)
      return ran.stdout
    }
    const model = { kind: 'model', provider: 'openai-compatible', baseUrl: `https://${modelHost}/v1`, model: 'm', keyless: true }
    stage.put('agent.json', JSON.stringify({ name: 'writer', ...model, egress: { policy: 'off' } }))
    stage.own()
    await fleet('webhook', 'add', 'chat', 'https://hook.test/ended', '--event', 'job.ended')
    await fleet('agent', 'create', path.join(stage.project, 'agent.json'))
    expect(await fleet('job', 'run', 'writer', '--prompt', 'Please write RESULT.md.')).toContain('It is written.')
    await until(() => posted.length > 0)
    expect(proxy.asked).toEqual(expect.arrayContaining(['platform.claude.com:443 200', `${modelHost}:443 200`, 'hook.test:443 200']))
  })

  it('the guarantees hold', async () => {
    const names = isLab
      ? []
      : ['environment-scrubbed', 'internal-names-refused', 'rebinding-refused', 'real-credentials-absent', 'placeholder-useless-elsewhere']
    const ran = await inside(['verify', '--json', ...names.flatMap((each) => ['--only', each])])
    const { guarantees } = JSON.parse(ran.stdout) as { guarantees: { id: string; status: string }[] }
    expect(guarantees.filter((each) => each.status === 'broken')).toEqual([])
    expect(guarantees.filter((each) => each.status === 'held').length).toBeGreaterThan(0)
  })
})

const pidIn = (file: string): number => (JSON.parse(readFileSync(file, 'utf8')) as { readonly pid: number }).pid

function fileOf(root: string, url: string): Buffer | null {
  try {
    return readFileSync(path.join(root, url.replace(/\?.*/, '')))
  } catch {
    return null
  }
}
