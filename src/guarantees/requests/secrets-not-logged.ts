import { broken, type Guarantee, held } from '../guarantee.ts'
import { rawLog } from '../probe/raw-log.ts'
import { sendAll } from '../probe/send-all.ts'
import { webHost } from '../probe/web-host.ts'

export const secretsNotLogged: Guarantee = {
  id: 'secrets-not-logged',
  chapter: 'requests',
  claim:
    'The audit log and the report contain no header fields (with credentials and cookies), query or body of a request to an inspected host.',
  mechanism: 'The gateway records only the method, path, decision, status and number of bytes of a request.',
  kind: 'structural',
  why: 'Data that is never passed to the log cannot be written to it.',
  fails: ['An API puts secrets into the path (the path is recorded, cut to 200 characters).'],
  under: ['allowlist'],
  probe: async (bench) => {
    using web = await webHost(bench)
    const secret = bench.secret()
    const path = `/${bench.secret()}`
    const text = (method: string): string =>
      [
        `${method} ${path}?token=${secret} HTTP/1.1`,
        `Host: ${web.name}`,
        `Authorization: Bearer ${secret}`,
        `Cookie: session=${secret}`,
        `X-Api-Key: ${secret}`,
        'Connection: close',
        `Content-Length: ${secret.length}`,
        '',
        secret,
      ].join('\r\n')
    const rules = [{ action: 'deny' as const, methods: ['PUT'], path: '/**', source: 'user' }]
    const { report, result } = await bench.inside(
      sendAll,
      { host: web.name, texts: { allowed: text('POST'), denied: text('PUT') } },
      { egress: bench.policy([{ host: web.name, inspect: { rules, otherwise: 'allow' } }]) },
    )
    const log = rawLog(bench.auditDirectory).toString('utf8')
    if (log.includes(secret)) return broken('a credential, cookie, query or body of a request is in the audit log')
    if (JSON.stringify(report).includes(secret)) return broken('a credential, cookie, query or body of a request is in the report')
    const recorded = log.split('\n').filter((each) => each.includes(path)).length
    if (recorded < 2 || !web.arrived.some((each) => each.headers.authorization?.includes(secret)))
      return broken(`the requests did not arrive or are not in the log (${JSON.stringify(result)}), so the probe is inconclusive`)
    return held(
      `${recorded} requests with a token in Authorization, Cookie, X-Api-Key, query and body are recorded, and the token is in neither log nor report; it arrived at the host`,
    )
  },
}
