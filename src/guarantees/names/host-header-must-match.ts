import { broken, type Guarantee, held } from '../guarantee.ts'

export const hostHeaderMustMatch: Guarantee = {
  id: 'host-header-must-match',
  chapter: 'names',
  claim:
    'Every plaintext HTTP request to an allowed name must address exactly that host, including later requests on a connection, and an ambiguous request is not forwarded.',
  mechanism:
    'The gateway parses every request head of a plaintext connection strictly (RFC 9112) and compares Host, and an absolute target, with the name.',
  kind: 'policy',
  why: 'The gateway forwards exactly the request that it parsed. It refuses a head that two parsers could read differently, so a second request cannot hide behind a valid one.',
  fails: [
    'After an upgrade (WebSocket), the bytes are no longer HTTP and are not read.',
    'HTTP/2 without TLS is refused, except to a host that you pinned to an address. There it passes unread and may name any host at that address.',
  ],
  under: ['allowlist'],
  probe: async (bench) => {
    const heard: string[] = []
    using server = await bench.serve({ address: '127.0.0.1' }, (socket) => {
      socket.on('data', (chunk) => {
        heard.push(String(chunk))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    })
    const allowed = `${bench.secret()}.example`
    const address = bench.names.freshAddress()
    bench.names.set(allowed, [address])
    bench.names.lead(address, 80, server.port)
    const right = `GET /right HTTP/1.1\r\nHost: ${allowed}\r\n\r\n`
    const wrong: Record<string, string> = {
      'another Host': 'GET /wrong HTTP/1.1\r\nHost: other.example\r\n\r\n',
      'a second Host': `GET /wrong HTTP/1.1\r\nHost: ${allowed}\r\nHost: other.example\r\n\r\n`,
      'an absolute target': `GET http://other.example/wrong HTTP/1.1\r\nHost: ${allowed}\r\n\r\n`,
      'no Host': 'GET /wrong HTTP/1.1\r\n\r\n',
      'a tunnel': `CONNECT other.example:443 HTTP/1.1\r\nHost: ${allowed}\r\n\r\n`,
      'two lengths': `POST /wrong HTTP/1.1\r\nHost: ${allowed}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'a space before the colon': `GET /wrong HTTP/1.1\r\nHost : other.example\r\nHost: ${allowed}\r\n\r\n`,
      'HTTP/2 without TLS': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0wrong`,
      'a second, wrong request': `${right}GET /wrong HTTP/1.1\r\nHost: other.example\r\n\r\n`,
    }
    const { result } = await bench.inside(
      async ({ net }, given) => {
        const tell = (text: string): Promise<string> =>
          new Promise((resolve) => {
            let got = ''
            const socket = net.connect({ host: given.allowed, port: 80 }, () => socket.write(text))
            socket.setTimeout(1500, () => socket.destroy())
            socket.on('data', (chunk) => {
              got += String(chunk)
            })
            socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            socket.once('close', () => resolve(got === '' ? 'closed' : 'answered'))
          })
        const entries = await Promise.all(Object.entries(given.wrong).map(async ([what, text]) => [what, await tell(text)] as const))
        return { right: await tell(given.right), wrong: Object.fromEntries(entries) }
      },
      { allowed, right, wrong },
      { egress: bench.policy([{ host: allowed, ports: [80] }]) },
    )
    const passed = heard.filter((each) => /wrong|CONNECT/.test(each))
    if (passed.length > 0)
      return broken(`a request to a host that is not allowed arrived: ${passed[0]?.split('\r\n').slice(0, 2).join(' · ')}`)
    if (result.right !== 'answered')
      return broken(`the probe's own valid request was not answered (${result.right}), so the probe is inconclusive`)
    return held(`${Object.keys(wrong).join(', ')}: none arrived; a valid request did`)
  },
}
