import { broken, type Guarantee, held } from '../guarantee.ts'
import { sendAll } from '../probe/send-all.ts'
import { webHost } from '../probe/web-host.ts'

export const ambiguousRequestsRefused: Guarantee = {
  id: 'ambiguous-requests-refused',
  chapter: 'requests',
  claim: 'The gateway sends no request to an inspected host that two parsers could read differently, or that names another host.',
  mechanism: 'The gateway checks HTTP/1.1 strictly before the parser gets it (RFC 9112), and rewrites each request that passes.',
  kind: 'policy',
  why: 'Smuggling needs two parsers that disagree about where a request ends. Here one parser decides, and the host gets a rewritten request.',
  fails: ['A server misreads even a simple request.'],
  under: ['allowlist'],
  probe: async (bench) => {
    using web = await webHost(bench)
    const host = `Host: ${web.name}\r\nX-Probe: wrong\r\n`
    const hidden = `GET /hidden HTTP/1.1\r\n${host}\r\n`
    const texts: Record<string, string> = {
      'two lengths': `POST / HTTP/1.1\r\n${host}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      'a length beside chunks': `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      'a strange coding': `POST / HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
      'a space before the colon': `POST / HTTP/1.1\r\n${host}Content-Length : ${hidden.length}\r\n\r\n${hidden}`,
      'a folded field': `GET / HTTP/1.1\r\n${host}X-A: b\r\n c\r\n\r\n`,
      'bare line feeds': `GET / HTTP/1.1\n${host.replaceAll('\r\n', '\n')}\n`,
      'a bare CR': `GET / HTTP/1.1\r\n${host}X-A: b\rX-B: c\r\n\r\n`,
      'a NUL': `GET / HTTP/1.1\r\n${host}X-A: b\u0000c\r\n\r\n`,
      'two hosts': `GET / HTTP/1.1\r\n${host}Host: other.example\r\n\r\n`,
      'another host': 'GET / HTTP/1.1\r\nHost: other.example\r\nX-Probe: wrong\r\n\r\n',
      'another host in the target': `GET https://other.example/ HTTP/1.1\r\n${host}\r\n`,
      'no host': 'GET / HTTP/1.1\r\nX-Probe: wrong\r\n\r\n',
      'a tunnel': `CONNECT other.example:443 HTTP/1.1\r\n${host}\r\n`,
      // The head of this request is valid and may be forwarded. The text after the chunk may not.
      'a wrong chunk': `POST / HTTP/1.1\r\nHost: ${web.name}\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n${hidden}`,
    }
    const honest = `GET /honest HTTP/1.1\r\nHost: ${web.name}\r\nX-Probe: honest\r\nConnection: close\r\n\r\n`
    const egress = bench.policy([{ host: web.name, inspect: { rules: [], otherwise: 'allow' } }])
    const { result } = await bench.inside(sendAll, { host: web.name, texts: { ...texts, honest } }, { egress })
    const hiddenOnes = web.arrived.filter((each) => each.target.includes('hidden') || each.headers['x-probe'] === 'wrong')
    if (hiddenOnes.length > 0)
      return broken(`${hiddenOnes.length} ambiguous requests arrived, the first as ${hiddenOnes[0]?.method} ${hiddenOnes[0]?.target}`)
    if (!web.arrived.some((each) => each.headers['x-probe'] === 'honest'))
      return broken(`not even a valid request arrived (${result['honest']}), so the probe is inconclusive`)
    return held(`${Object.keys(texts).join(', ')}: none arrived; a valid request did`)
  },
}
