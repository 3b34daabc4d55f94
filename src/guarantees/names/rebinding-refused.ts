import { broken, type Guarantee, held } from '../guarantee.ts'

export const rebindingRefused: Guarantee = {
  id: 'rebinding-refused',
  chapter: 'names',
  claim: 'A name that means a public address first and an internal one later (DNS rebinding) never leads to the internal one.',
  mechanism:
    'Each connection is resolved by the gateway, once, and goes to an address out of that very answer that was judged public; a mixed answer loses its internal part.',
  kind: 'policy',
  why: 'There is no moment between check and use: the address that is checked is the address that is dialled, and the cell never learns or chooses an address.',
  fails: ['None known beyond those of internal-names-refused.'],
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
    if (inside.length > 0) return broken(`dialled ${inside.map((each) => each.address).join(', ')} after the name had turned`)
    if (first !== 1 || server.connections() !== 2)
      return broken(`the probe's own public connections did not arrive (${first}, ${server.connections()}), so nothing was shown`)
    return held('first answer public: arrived; second answer internal: refused; an answer of both: only the public address was dialled')
  },
}
