import { networkInterfaces } from 'node:os'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const hostAddressesUnreachable: Guarantee = {
  id: 'host-addresses-unreachable',
  chapter: 'network',
  claim: 'A cell cannot reach servers on any other address of your machine either.',
  mechanism:
    "Under off and allowlist there is no route. Under public, the filter rejects the host's own addresses and their subnets, and pasta gives the host's main address to the cell itself.",
  kind: 'policy',
  why: 'The addresses are read when the cell starts, in any range and including those that only a local route provides, and read again every few seconds.',
  fails: [
    'An address that your machine gets while the cell runs is reachable for a few seconds.',
    'A router reflects your public address back to you.',
  ],
  under: ['off', 'allowlist', 'public'],
  probe: async (bench) => {
    using server = await bench.serve({ address: '0.0.0.0' })
    const own = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .map((each) => each.address)
      .filter((each) => !/^127\.|^::1$/.test(each))
    const { result } = await bench.inside(
      async ({ connect }, given) =>
        Promise.all(given.hosts.map(async (host) => [host, await connect({ host, port: given.port }, 1500)] as const)),
      { hosts: own, port: server.port },
    )
    const reached = result.filter(([, outcome]) => outcome === 'connected')
    if (server.connections() > 0 || reached.length > 0)
      return broken(`a server of the host was reached at ${reached.map(([host]) => host).join(', ')}`)
    return held(
      own.length === 0
        ? 'this machine has no address except loopback'
        : `a server on all addresses of the host received no connection; tried ${result.map(([host, outcome]) => `${host} (${outcome})`).join(', ')}`,
    )
  },
}
