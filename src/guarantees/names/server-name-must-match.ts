import { broken, type Guarantee, held } from '../guarantee.ts'

export const serverNameMustMatch: Guarantee = {
  id: 'server-name-must-match',
  chapter: 'names',
  claim:
    'A TLS connection to an allowed name must name exactly that host in its ClientHello, so a shared server cannot be used to reach another host.',
  mechanism:
    'The gateway reads the ClientHello (server_name of RFC 6066) before it connects, and resets a connection whose name does not match or is missing.',
  kind: 'policy',
  why: 'The gateway compares the name from DNS with the name sent to the server, in the same bytes that it then forwards.',
  fails: [
    "The Host inside TLS is not visible, so another customer in the same provider's network may answer (domain fronting). Inspect the host to prevent this.",
    'Encrypted Client Hello hides the inner name. The outer one must still be the allowed name.',
  ],
  under: ['allowlist'],
  probe: async (bench) => {
    using server = await bench.serve({ address: '127.0.0.1' }, (socket) => socket.destroy())
    const allowed = `${bench.secret()}.example`
    const address = bench.names.freshAddress()
    bench.names.set(allowed, [address])
    bench.names.lead(address, 443, server.port)
    const { result } = await bench.inside(
      async ({ tls, net }, given) => {
        const shake = (servername: string | undefined): Promise<string> =>
          new Promise((resolve) => {
            const socket = tls.connect({
              host: given.allowed,
              port: 443,
              rejectUnauthorized: false,
              ...(servername === undefined ? {} : { servername }),
            })
            socket.setTimeout(5000, () => socket.destroy(new Error('timeout')))
            socket.once('secureConnect', () => {
              resolve('connected')
              socket.destroy()
            })
            socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            socket.once('close', () => resolve('closed'))
          })
        const plain = (): Promise<string> =>
          new Promise((resolve) => {
            const socket = net.connect({ host: given.allowed, port: 443 }, () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
            socket.setTimeout(5000, () => socket.destroy(new Error('timeout')))
            socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            socket.once('close', () => resolve('closed'))
          })
        return [await shake('other.example'), await shake(`x.${given.allowed}`), await shake(''), await plain()]
      },
      { allowed },
      { egress: bench.policy([{ host: allowed }]) },
    )
    const wrong = server.connections()
    await bench.inside(
      ({ tls }, given) =>
        new Promise<string>((resolve) => {
          const socket = tls.connect({ host: given.allowed, port: 443, servername: given.allowed, rejectUnauthorized: false })
          socket.once('error', (error: Error) => resolve(error.message))
          socket.once('close', () => resolve('closed'))
        }),
      { allowed },
      { egress: bench.policy([{ host: allowed }]) },
    )
    if (wrong > 0) return broken(`${wrong} of 4 connections with a wrong name arrived at the server (${result.join(', ')})`)
    if (server.connections() !== 1)
      return broken("the probe's own connection with the right name did not arrive, so the probe is inconclusive")
    return held(`another name, a subdomain, no name, and no TLS at all were reset (${result.join(', ')}); the right name arrived`)
  },
}
