import { broken, type Guarantee, held } from '../guarantee.ts'
import { sendAll } from '../probe/send-all.ts'
import { rule, webHost } from '../probe/web-host.ts'

export const deniedRequestsNeverArrive: Guarantee = {
  id: 'denied-requests-never-arrive',
  chapter: 'requests',
  claim:
    'A request to an inspected host that a rule denies never arrives there, in any spelling of its method and path, and at any position on the connection.',
  mechanism:
    'The gateway terminates TLS for that host, normalizes each target (RFC 3986, section 6.2.2), checks every possible reading of it, and sends exactly the normalized form.',
  kind: 'policy',
  why: 'The host gets what was checked, not what the cell wrote. If a server could read it differently, the strictest reading counts.',
  fails: [
    'A rule is too narrow: anything that the path does not show (a body, one path for everything) is not checked.',
    "After a WebSocket's opening request, the bytes are not read.",
  ],
  under: ['allowlist'],
  probe: async (bench) => {
    using web = await webHost(bench)
    const to = (method: string, target: string, ...fields: readonly string[]): string =>
      [`${method} ${target} HTTP/1.1`, `Host: ${web.name}`, 'X-Probe: denied', 'Connection: close', ...fields, '', ''].join('\r\n')
    const paths = [
      ...['/secret/x', '/%73ecret/x', '/%53ecret/x', '//secret/x', '/./secret/x', '/a/../secret/x', '/a/%2e%2e/secret/x', '/SECRET/x'],
      ...['/secret%2Fx', '/secret/x?y=1', '/secret/', '/secret;v=1/x', '/%2573ecret/x', '/a/..;/secret/x', '/..%2fsecret/x', '/secret\\x'],
      ...['/\\secret\\x', `https://${web.name}/secret/x`, '/%c0%afsecret/x', '/secret%00/x', '/secret/%2e/x'],
    ]
    const texts = {
      ...Object.fromEntries(paths.map((each) => [each, to('GET', each)])),
      DELETE: to('DELETE', '/free'),
      delete: to('delete', '/free'),
      'an override field': to('POST', '/free', 'X-HTTP-Method-Override: DELETE', 'Content-Length: 0'),
      'an override in the query': to('POST', '/free?_method=DELETE', 'Content-Length: 0'),
      'a path in a field': to('GET', '/free', 'X-Original-URL: /secret/x'),
      'the second on a connection': `GET /free HTTP/1.1\r\nHost: ${web.name}\r\nX-Probe: first\r\n\r\n${to('GET', '/secret/x')}`,
      'behind a body': `POST /free HTTP/1.1\r\nHost: ${web.name}\r\nX-Probe: first\r\nContent-Length: 5\r\n\r\nhello${to('DELETE', '/free')}`,
    }
    const egress = bench.policy([
      { host: web.name, inspect: { rules: [rule('deny * /secret/**'), rule('deny DELETE /**')], otherwise: 'allow' } },
    ])
    const told = await bench.inside(sendAll, { host: web.name, texts }, { egress })
    const two = await bench.inside(
      ({ http2 }, given) =>
        new Promise<string>((resolve) => {
          const session = http2.connect(`https://${given.host}`)
          session.setTimeout(4000, () => session.destroy())
          session.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
          const statuses: string[] = []
          const targets = [
            ['GET', '/secret/x'],
            ['DELETE', '/free'],
            ['GET', '/free'],
          ] as const
          for (const [method, path] of targets)
            session
              .request({ ':method': method, ':path': path, 'x-probe': `${path === '/free' && method === 'GET' ? 'first' : 'denied'}` })
              .on('response', (fields) => statuses.push(String(fields[':status'])))
              .on('error', () => statuses.push('reset'))
              .on('close', () => {
                if (statuses.length < targets.length) return
                session.destroy()
                resolve(statuses.join(' '))
              })
              .resume()
        }),
      { host: web.name },
      { egress },
    )
    const wrong = web.arrived.filter((each) => each.headers['x-probe'] === 'denied')
    if (wrong.length > 0) return broken(`${wrong.length} denied requests arrived, including ${wrong[0]?.method} ${wrong[0]?.target}`)
    const honest = web.arrived.filter((each) => each.headers['x-probe'] === 'first').length
    if (honest < 3)
      return broken(
        `only ${honest} of three allowed requests arrived (${JSON.stringify(told.result).slice(0, 90)}), so the probe is inconclusive`,
      )
    return held(
      `${Object.keys(texts).length} spellings over HTTP/1.1 and two requests over HTTP/2 (${two.result}): none arrived; ${honest} allowed ones on the same connections did`,
    )
  },
}
