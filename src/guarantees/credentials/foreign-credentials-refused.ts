import { broken, type Guarantee, held } from '../guarantee.ts'
import { heldLogin } from '../probe/held-login.ts'
import { sendAll } from '../probe/send-all.ts'
import { webHost } from '../probe/web-host.ts'

export const foreignCredentialsRefused: Guarantee = {
  id: 'foreign-credentials-refused',
  chapter: 'credentials',
  claim:
    "At the hosts of an agent's key or login, a cell can use no other account. A request with any other credential where that one belongs is not sent.",
  mechanism:
    'The gateway checks each place where the credential belongs, and refuses any value there that is not a placeholder of the cell.',
  kind: 'policy',
  why: 'The cell cannot use another account at a host that it needs, so it cannot send data to that account.',
  fails: [
    'An API accepts a credential in another place (a cookie, a body), or accepts data without one.',
    'Secrets given with `--secret`, because other accounts may be in use at their hosts.',
  ],
  under: ['allowlist', 'public', 'open'],
  probe: async (bench) => {
    using web = await webHost(bench)
    const { placeholder, wishes } = heldLogin(bench, web)
    const to = (...fields: readonly string[]): string =>
      ['POST /v1/files HTTP/1.1', `Host: ${web.name}`, 'Connection: close', 'Content-Length: 0', ...fields, '', ''].join('\r\n')
    const theirs = `sk-ant-api03-${bench.secret()}`
    const texts = {
      'a key': to(`X-Api-Key: ${theirs}`),
      'a token': to(`Authorization: Bearer ${theirs}`),
      Basic: to(`Authorization: Basic ${Buffer.from(`me:${theirs}`).toString('base64')}`),
      'a key beside the placeholder': to(`X-Api-Key: ${placeholder.key}`, `Authorization: Bearer ${theirs}`),
      'two keys': to(`X-Api-Key: ${placeholder.key}`, `X-Api-Key: ${theirs}`),
    }
    const cell = { ...wishes, egress: bench.policy([{ host: web.name }]) }
    const { result } = await bench.inside(sendAll, { host: web.name, texts }, cell)
    const passed = web.arrived.length
    const control = await bench.inside(sendAll, { host: web.name, texts: { own: to(`X-Api-Key: ${placeholder.key}`) } }, cell)
    if (passed > 0) return broken(`${passed} of ${Object.keys(texts).length} requests with another credential arrived`)
    if (web.arrived.length !== 1)
      return broken(`the request with the placeholder did not arrive (${control.result['own']}), so the probe is inconclusive`)
    return held(
      `${Object.keys(texts).length} requests with another key or token: none arrived (${result['a key']}); one with the placeholder did`,
    )
  },
}
