import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyone, inCell, makeStage, paddock, type Stage } from '../../support/cli.ts'
import { internet } from '../../support/inspect-lab.ts'

/** Starts a forge: git over smart HTTP (git-http-backend(1)), and one answer for everything else. Speaks HTTP/2 and HTTP/1.1. */
async function forge(root: string): Promise<Http2SecureServer> {
  const server = createSecureServer({ ...internet.issue('forge.example'), allowHTTP1: true }, (request, response) => {
    const [file = '', query = ''] = request.url.split('?')
    if (!file.includes('.git/'))
      return void request.resume().on('end', () => response.end(`${request.method} ${request.url} over ${request.httpVersion}`))
    const env = {
      PATH: '/usr/bin:/bin',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: file,
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      REMOTE_USER: 'ada',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    }
    const backend = spawn('git', ['http-backend'], { env })
    request.pipe(backend.stdin)
    const chunks: Buffer[] = []
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    backend.on('close', () => {
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      const fields = all
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(': ') as [string, string])
      const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
      response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
      response.end(all.subarray(end + 4))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

describe.each(everyone)('inspected hosts of paddock run, as %s', (who) => {
  let stage: Stage
  let server: Http2SecureServer
  let inspect: string
  let env: Record<string, string>
  beforeEach(async () => {
    stage = makeStage(who)
    const root = path.join(stage.root, 'forge')
    mkdirSync(root)
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', path.join(root, 'it.git')])
    execFileSync('git', ['-C', path.join(root, 'it.git'), 'config', 'http.receivepack', 'true'])
    server = await forge(root)
    inspect = `forge.example:443=127.0.0.1:${(server.address() as AddressInfo).port}`
    const roots = path.join(stage.root, 'roots.pem')
    writeFileSync(roots, internet.certificate)
    env = { NODE_EXTRA_CA_CERTS: roots }
    stage.own()
  })
  afterEach(() => {
    server.close()
    stage[Symbol.dispose]()
  })

  it('curl and node trust the host of themselves, and meet the rules', async () => {
    const ran = await inCell(
      stage,
      `curl -sS https://forge.example/a//b; echo
       env -u CURL_CA_BUNDLE -u SSL_CERT_FILE curl -sS --http1.1 https://forge.example/usual-places; echo
       curl -sS -X DELETE https://forge.example/repos/%6de/it
       curl -sS -o /dev/null -w '%{http_code}\\n' --http1.1 -X POST -d x https://forge.example/repos/../repos/me
       if command -v node >/dev/null; then node -e "fetch('https://forge.example/node').then((r) => r.text()).then(console.log)"; else echo 'GET /node over '; fi
       cat /etc/paddock/ca.pem; ls /etc/paddock; grep -rl PRIVATE.KEY /etc/paddock /tmp /run "$HOME" 2>/dev/null; true`,
      { env, args: ['--inspect', inspect, '--rules', 'delete', '--rule', 'deny POST forge.example/repos/**'] },
    )
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toMatch(/^GET \/a\/b over /)
    expect(ran.stdout).toContain('GET /usual-places over ')
    expect(ran.stdout).toContain('paddock: denied by rule "deny DELETE /**" (delete): DELETE forge.example/repos/me/it')
    expect(ran.stdout).toContain('\n403\n')
    expect(ran.stdout).toContain('GET /node over ')
    expect(ran.stdout).toMatch(/END CERTIFICATE-----\nca-bundle\.pem\nca\.pem\n(?:gitignore\n|home\n)*$/)
  })

  it('git fetches, and cannot push where the set says so', async () => {
    const script = `
      set -e; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a
      cd /tmp && git clone -q https://forge.example/it.git it 2>/dev/null && cd it && git checkout -q -B main
      echo "$1" > file && git add file && git commit -qm x && git push -q origin main 2>&1 || echo "push failed"`
    const free = await inCell(stage, script.replace('$1', 'one'), { env, args: ['--inspect', inspect] })
    expect(free.stdout).not.toContain('push failed')
    const log = () =>
      execFileSync('git', ['-c', 'safe.directory=*', '-C', path.join(stage.root, 'forge/it.git'), 'log', '--format=%s', 'main']).toString()
    expect(log()).toBe('x\n')
    const report = path.join(stage.project, 'report.json')
    const held = await inCell(stage, script.replace('$1', 'two'), {
      env,
      args: ['--inspect', inspect, '--rules', 'git-push', '--report', report],
    })
    expect(held.stdout).toContain('push failed')
    expect(held.stdout).toContain('403')
    expect(log()).toBe('x\n')
    const { egress } = JSON.parse(readFileSync(report, 'utf8')) as { egress: { denied: unknown[]; requests: { denied: number } } }
    expect(egress.requests.denied).toBeGreaterThan(0)
    expect(egress.denied).toContainEqual(expect.objectContaining({ host: 'forge.example', reason: 'rule' }))
  })

  it('other hosts stay encrypted end to end: the authority is not in their connections', async () => {
    const port = (server.address() as AddressInfo).port
    const ran = await inCell(
      stage,
      'curl -sS https://forge.example/ 2>&1; curl -sS --cacert /etc/paddock/ca.pem https://other.example/ 2>&1',
      {
        env,
        args: ['--inspect', inspect, '--allow', `other.example:443=127.0.0.1:${port}`],
      },
    )
    expect(ran.stdout).toContain('GET / over')
    expect(ran.stdout).toMatch(/curl: \(60\)/)
  })

  it('the plan has the certificate and no key', async () => {
    const args = ['run', '--dry-run', '--json', '--inspect', inspect, '--', 'true']
    const { stdout } = await paddock(stage, args)
    expect(stdout).not.toContain('PRIVATE KEY')
    const plan = JSON.parse(stdout) as { env: Record<string, string>; filesystem: { target?: string; content?: string }[] }
    expect(plan.env).toMatchObject({
      SSL_CERT_FILE: '/etc/paddock/ca-bundle.pem',
      NODE_EXTRA_CA_CERTS: '/etc/paddock/ca.pem',
      GIT_SSL_CAINFO: '/etc/paddock/ca-bundle.pem',
    })
    expect(plan.filesystem.find(({ target }) => target === '/etc/paddock/ca.pem')?.content).toContain('BEGIN CERTIFICATE')
    const without = await paddock(stage, ['run', '--dry-run', '--json', '--', 'true'])
    expect(without.stdout).not.toContain('/etc/paddock/ca')
  })

  it.each([
    [['--rule', 'deny'], 'paddock: BAD_INPUT: --rule: "deny" is not a rule'],
    [['--rule', 'forbid * a.example/x'], 'paddock: BAD_INPUT: --rule: "forbid" is not an action.'],
    [['--rule', 'deny P/ST a.example/x'], 'paddock: BAD_INPUT: --rule: "P/ST" is not a method'],
    [['--rule', 'deny * a.example'], 'paddock: BAD_INPUT: --rule: "a.example" is not a host and a path'],
    [['--rules', 'git-psh'], 'paddock: BAD_INPUT: --rules: there is no rule set "git-psh".'],
    [['--rules', 'delete=maybe'], 'paddock: BAD_INPUT: --rules: "delete=maybe" is not a rule set'],
    [['--rules', 'delete'], 'paddock: BAD_INPUT: --rules delete: no host that the cell may reach is a known forge or inspected'],
    [['--egress', 'off', '--inspect', 'a.example'], 'paddock: BAD_INPUT: --inspect has no effect with --egress off.'],
  ])('%j is refused with a sentence', async (args, sentence) => {
    const ran = await paddock(stage, ['run', ...args, '--', 'true'])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toContain(sentence)
    expect(ran.stderr).toContain('hint: ')
  })
})
