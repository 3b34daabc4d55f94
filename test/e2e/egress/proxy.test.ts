import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeIssuer } from '../../../src/egress/inspect/tls/authority.ts'
import { everyone, inCell, makeStage, mountableNode, paddock, type Stage } from '../../support/cli.ts'
import { internet } from '../../support/inspect-lab.ts'
import { openProxy, type ProxyOptions, type ProxyServer } from '../../support/proxy-server.ts'

/** The authority of the company, whose proxy ends all TLS. */
const corporate = makeIssuer(['*'])

describe.each(everyone)('behind the proxy of a company, as %s,', (who) => {
  let stage: Stage
  let open: AsyncDisposableStack
  let port: number
  let ca: string
  beforeEach(async () => {
    open = new AsyncDisposableStack()
    stage = open.use(makeStage(who))
    const serve = async (server: Server): Promise<number> => {
      server.listen(0, '127.0.0.1')
      open.defer(() => void server.close())
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    }
    port = await serve(
      createServer(internet.issue('api.test'), (request, response) => void response.end(`${request.method} ${request.url}\n`)),
    )
    plain = await serve(createHttpServer((_, response) => void response.end('plain\n')))
    ca = path.join(stage.root, 'corp.pem')
    writeFileSync(ca, corporate.certificate)
    stage.own()
  })
  let plain: number
  afterEach(() => open.disposeAsync())

  const start = async (options: Partial<ProxyOptions> = {}): Promise<ProxyServer> =>
    open.use(await openProxy({ reaches: { 'api.test:443': port, 'plain.test:80': plain }, intercepts: corporate, ...options }))
  const variables = (proxy: ProxyServer, login = ''): Record<string, string> => ({
    HTTPS_PROXY: `http://${login}127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: ca,
  })
  const configure = (text: string): void => {
    mkdirSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'config'), { recursive: true })
    writeFileSync(path.join(stage.env['PADDOCK_HOME'] ?? '', 'config/config.yaml'), `schemaVersion: 1\n${text}`)
    stage.own()
  }
  /** Runs a script in a cell with all that Paddock says about it. */
  const loud = (script: string, env: Record<string, string>, args: readonly string[]) =>
    paddock(stage, ['run', ...args, '--', 'sh', '-c', script], { env })
  const clients = `curl -sS https://api.test/curl; ${mountableNode()} -e 'fetch("https://api.test/node").then((r) => r.text()).then((t) => process.stdout.write(t), (e) => console.log(e.cause))'; python3 -c 'import urllib.request as u; print(u.urlopen("https://api.test/python").read().decode(), end="")'`
  const answers = 'GET /curl\nGET /node\nGET /python\n'

  it('programs in a cell reach an allowed host by its name and trust what the user trusts, from the environment', async () => {
    const proxy = await start({ login: 'me:s3cret' })
    const ran = await loud(`${clients}; env | grep -i proxy`, variables(proxy, 'me:s3cret@'), [
      '--allow',
      'api.test',
      '--ro',
      mountableNode(),
    ])
    expect(ran.stdout).toBe(answers)
    expect(proxy.asked).toEqual(Array(3).fill('api.test:443 200'))
    expect(ran.stderr).toContain(`upstream-resolves is given up for api.test: only the proxy http://127.0.0.1:${proxy.port} resolves it`)
    expect(ran.stderr).not.toContain('s3cret')
  })

  it('requests to an inspected host are judged, and the certificate of the company is trusted for them', async () => {
    const proxy = await start()
    const ran = await inCell(
      stage,
      'curl -sS https://api.test/yes; curl -sS -o /dev/null -w "%{http_code}\\n" -X DELETE https://api.test/no',
      {
        env: variables(proxy),
        args: ['--inspect', 'api.test', '--rule', 'deny DELETE api.test/**'],
      },
    )
    expect(ran.stdout, ran.stderr).toBe('GET /yes\n403\n')
    expect(proxy.asked).toEqual(['api.test:443 200'])
  })

  it('the configuration says the same, with a login of the environment, and shows no secret', async () => {
    const proxy = await start({ login: 'me:s3cret' })
    configure(`egress:
  upstream:
    proxy: http://127.0.0.1:${proxy.port}
    noProxy: [corp.test, 10.0.0.0/8]
    auth: env:PROXY_LOGIN
    ca: [${ca}]
`)
    const env = { PROXY_LOGIN: 'me:s3cret' }
    const ran = await inCell(stage, clients, { env, args: ['--allow', 'api.test', '--ro', mountableNode()] })
    expect(ran.stdout, ran.stderr).toBe(answers)
    const dry = await paddock(stage, ['run', '--dry-run', '--allow', 'api.test', '--', 'true'], { env })
    expect(dry.stdout).toContain(
      `way out   http://127.0.0.1:${proxy.port} (egress.upstream.proxy), except corp.test,10.0.0.0/8 (egress.upstream.noProxy)\n` +
        `trusts    1 certificate of ${ca} (egress.upstream.ca)\n`,
    )
    expect(dry.stdout + ran.stderr).not.toContain('s3cret')
  })

  it('HTTP without TLS goes through the proxy too, and a denied host does not', async () => {
    const proxy = await start()
    const ran = await inCell(stage, 'curl -sS http://plain.test/; curl -sS https://other.test/ 2>&1 | head -c 60; :', {
      env: variables(proxy),
      args: ['--allow', 'plain.test:80'],
    })
    expect(ran.stdout, ran.stderr).toBe('plain\ncurl: (6) Could not resolve host: other.test\n')
    expect(proxy.asked).toEqual(['plain.test:80 200'])
  })

  it('a host of NO_PROXY and one that is pinned to loopback are reached directly', async () => {
    const proxy = await start()
    const args = ['--allow', `pinned.test:443=127.0.0.1:${port}`, '--allow', 'api.test']
    const env = { ...variables(proxy), NO_PROXY: '.test' }
    const ran = await loud('curl -sSk https://pinned.test/; curl -sS https://api.test/ -o /dev/null; echo $?', env, args)
    expect(ran.stdout.startsWith('GET /\n'), ran.stderr).toBe(true)
    expect(ran.stdout).not.toBe('GET /\n0\n')
    expect(proxy.asked).toEqual([])
    expect(ran.stderr).toContain('the name api.test does not resolve on this machine')
  })

  it.each<[string, Partial<ProxyOptions>, string]>([
    ['asks for a login', { login: 'me:s3cret' }, 'asks for a login (407)'],
    ['refuses', { reaches: {} }, 'refuses to connect to api.test:443 (403)'],
    ['closes', { instead: (socket) => socket.end() !== null }, 'closed the connection without an answer'],
    ['answers with garbage', { instead: (socket) => socket.end('garbage\r\n\r\n') !== null }, 'did not answer as an HTTP proxy'],
  ])('a proxy that %s is named at once', async (_, options, expected) => {
    const proxy = await start(options)
    const ran = await loud('curl -sS https://api.test/; echo $?', variables(proxy), ['--allow', 'api.test'])
    expect(ran.stdout).toMatch(/^(?:35|52|56)\n$/)
    expect(ran.stderr).toContain(`api.test: the proxy http://127.0.0.1:${proxy.port} ${expected}`)
  })

  it('a proxy that stops answering after it has connected ends nothing but the connection', async () => {
    const proxy = await start({ instead: (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n') !== null })
    const ran = await inCell(stage, 'curl -sS https://api.test/ 2>/dev/null; curl -sS https://api.test/ 2>/dev/null; echo alive', {
      env: variables(proxy),
      args: ['--allow', 'api.test'],
    })
    expect(ran.stdout).toBe('alive\n')
    expect(ran.code).toBe(0)
  })

  it('a certificate that changes to an unknown authority is refused until it changes back', async () => {
    let asked = 0
    const issue = (name: string) => (asked++ === 1 ? makeIssuer(['*']) : corporate).issue(name)
    const proxy = await start({ intercepts: { ...corporate, issue } })
    const thrice = 'for i in 1 2 3; do curl -sS https://api.test/; echo $?; done'
    const ran = await loud(thrice, variables(proxy), ['--allow', 'api.test'])
    expect(ran.stdout, ran.stderr).toBe('GET /\n0\n60\nGET /\n0\n')
    expect(ran.stderr).toContain('unable to get local issuer certificate')
  })

  it.each([
    ['proxy: socks5://p.test', /egress\.upstream\.proxy .*proxy of socks5, which Paddock does not support/],
    ['noProxy: [10.0.0.0/33]', /egress\.upstream\.noProxy\[0\] must be a host, an address or a range/],
    ['auth: s3cret', /egress\.upstream\.auth .*does not say where a secret is/],
    ['ca: [corp.pem]', /egress\.upstream\.ca\[0\] must be an absolute path/],
    ['port: 1', /egress\.upstream/],
  ])('the configuration %s is refused with its line', async (line, expected) => {
    configure(`egress:\n  upstream:\n    ${line}\n`)
    const ran = await paddock(stage, ['run', '--', 'true'])
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/config\.yaml:4: /)
    expect(ran.stderr).toMatch(expected)
    expect(ran.stderr).not.toContain('s3cret')
  })

  it('a file of the configuration without a certificate is refused, and one of a variable is named', async () => {
    const empty = path.join(stage.root, 'empty.pem')
    writeFileSync(empty, '')
    const env = await paddock(stage, ['run', '--', 'true'], { env: { SSL_CERT_FILE: empty } })
    expect(env.code).toBe(0)
    expect(env.stderr).toContain(`SSL_CERT_FILE names ${empty}, which is not a readable file with certificates (PEM)`)
    configure(`egress:\n  upstream:\n    ca: [${empty}]\n`)
    const configured = await paddock(stage, ['run', '--', 'true'])
    expect(configured.code).toBe(2)
    expect(configured.stderr).toContain(`egress.upstream.ca names ${empty}, which is not a readable file with certificates (PEM).`)
  })

  it('a cell without a network is not told of the proxy', async () => {
    const ran = await paddock(stage, ['run', '--egress', 'off', '--dry-run', '--json', '--', 'true'], {
      env: { HTTPS_PROXY: 'http://p.test' },
    })
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('wayOut')
  })
})
