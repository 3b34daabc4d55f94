import { broken, type Guarantee, held } from '../guarantee.ts'
import { heldLogin } from '../probe/held-login.ts'
import { rawLog } from '../probe/raw-log.ts'
import { sendAll } from '../probe/send-all.ts'
import { webHost } from '../probe/web-host.ts'

export const placeholderUselessElsewhere: Guarantee = {
  id: 'placeholder-useless-elsewhere',
  chapter: 'credentials',
  claim:
    'A placeholder is swapped only at the hosts of its credential, in the header, query or Basic field where it belongs, and never in a body. Anywhere else it is worthless, and sending it raises an alarm in the audit log.',
  mechanism:
    "The gateway compares the host, port, path and place in each request with the adapter's rules for the credential, and swaps nothing else.",
  kind: 'policy',
  why: 'The real credential is only ever written into a request to its own host, over TLS with a verified certificate.',
  fails: [
    'A host of the credential forwards the data of a request.',
    'Placeholders sent over TLS to a host that is not inspected raise no alarm. Paddock cannot read them there, and they are worthless.',
  ],
  under: ['allowlist', 'public', 'open'],
  probe: async (bench) => {
    using own = await webHost(bench)
    using other = await webHost(bench)
    const { real, placeholder, wishes } = heldLogin(bench, own)
    const to = (host: string, target: string, ...more: readonly string[]): string =>
      [
        `POST ${target} HTTP/1.1`,
        `Host: ${host}`,
        'Connection: close',
        ...more.slice(0, -1),
        `Content-Length: ${(more.at(-1) ?? '').length}`,
        '',
        more.at(-1) ?? '',
      ].join('\r\n')
    const key = placeholder.key
    const elsewhere = {
      'a header': to(other.name, '/v1/messages', `X-Api-Key: ${key}`, ''),
      Authorization: to(other.name, '/v1/messages', `Authorization: Bearer ${key}`, ''),
      Basic: to(other.name, '/', `Authorization: Basic ${Buffer.from(`x:${key}`).toString('base64')}`, ''),
      'the query': to(other.name, `/?key=${key}`, ''),
      'the body': to(other.name, '/', key),
    }
    const misplaced = {
      'another header': to(own.name, '/v1/messages', `X-Other: ${key}`, ''),
      'the path': to(own.name, `/${key}`, ''),
      'the body': to(own.name, '/v1/messages', key),
      'two headers': to(own.name, '/v1/messages', `X-Api-Key: ${key}`, `X-Api-Key: ${key}`, ''),
    }
    const inspect = { rules: [], otherwise: 'allow' as const }
    const egress = bench.policy([{ host: own.name }, { host: other.name, inspect }])
    const cell = { ...wishes, egress }
    const first = await bench.inside(sendAll, { host: other.name, texts: elsewhere }, cell)
    const second = await bench.inside(sendAll, { host: own.name, texts: misplaced }, cell)
    const control = await bench.inside(
      sendAll,
      { host: own.name, texts: { right: to(own.name, '/v1/messages', `X-Api-Key: ${key}`, '') } },
      cell,
    )
    const all = [...own.arrived.slice(0, -1), ...other.arrived]
    const words = Object.values(real).flatMap((word) => [word, Buffer.from(`x:${word}`).toString('base64')])
    const wrong = all.find((each) => words.some((word) => JSON.stringify(each).includes(word)))
    if (wrong !== undefined)
      return broken(`the real credential arrived where it does not belong: ${wrong.method} ${wrong.target.split('?')[0]}`)
    const alarms = rawLog(bench.auditDirectory)
      .toString('utf8')
      .split('\n')
      .filter((line) => line.includes('"credential.astray"') && line.includes(other.name)).length
    if (!JSON.stringify(own.arrived.at(-1) ?? {}).includes(real.key) || other.arrived.length < Object.keys(elsewhere).length)
      return broken(
        `the requests did not arrive (${Object.values({ ...first.result, ...second.result, ...control.result }).join(', ')}), so the probe is inconclusive`,
      )
    if (alarms === 0) return broken('no alarm was raised for placeholders at another host')
    return held(
      `placeholders in ${Object.keys(elsewhere).length} places at another host and in ${Object.keys(misplaced).length} wrong places at their own: the real one was never sent; ${alarms} alarms; in its own place it was`,
    )
  },
}
