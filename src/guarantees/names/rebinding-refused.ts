import { broken, type Guarantee, held } from '../guarantee.ts'

export const rebindingRefused: Guarantee = {
  id: 'rebinding-refused',
  chapter: 'names',
  claim: 'A name that resolves first to a public address and later to an internal one (DNS rebinding) never leads to the internal one.',
  mechanism:
    'The gateway resolves the name once per connection, and connects to an address from that answer that it has checked as public. It drops internal addresses from a mixed answer.',
  kind: 'policy',
  why: 'There is no gap between check and use: the gateway connects to the address that it checked, and the cell never learns or chooses an address.',
  fails: ['Those of internal-names-refused. With a proxy, its own resolution counts.'],
  under: ['allowlist'],
  probe: async (bench) => {
    using server = await bench.serve({ address: '127.0.0.1' }, (socket) => socket.destroy())
    const address = bench.names.freshAddress()
    bench.names.lead(address, 443, server.port)
    const [turning, mixed] = [`turning.${bench.secret()}.example`, `mixed.${bench.secret()}.example`]
    bench.names.set(turning, [address], ['10.66.66.66'])
    bench.names.set(mixed, ['10.66.66.67', address, '169.254.169.254'])
    // One cell after the other, so that no cached answer of the first is used for the second.
    const knock = (host: string) =>
      bench.inside(
        ({ tls }, given) =>
          new Promise<string>((resolve) => {
            const socket = tls.connect({ host: given, port: 443, servername: given })
            socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            socket.once('close', () => resolve('closed'))
          }),
        host,
        { egress: bench.policy([{ host }]) },
      )
    await knock(turning)
    const first = server.connections()
    await knock(turning)
    await knock(mixed)
    const inside = bench.names.dialled.filter((each) => ['10.66.66.66', '10.66.66.67'].includes(each.address))
    if (inside.length > 0) return broken(`connected to ${inside.map((each) => each.address).join(', ')} after the name had changed`)
    if (first !== 1 || server.connections() !== 2)
      return broken(`the probe's own public connections did not arrive (${first}, ${server.connections()}), so the probe is inconclusive`)
    return held('first answer public: arrived; second answer internal: refused; an answer with both: connected only to the public address')
  },
}
