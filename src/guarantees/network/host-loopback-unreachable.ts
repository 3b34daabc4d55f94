import { broken, type Guarantee, held } from '../guarantee.ts'

export const hostLoopbackUnreachable: Guarantee = {
  id: 'host-loopback-unreachable',
  chapter: 'network',
  claim: 'A cell cannot reach what listens on the loopback addresses of your machine.',
  mechanism:
    'A network namespace of its own; pasta, where it is attached, runs without a mapping of the host’s loopback (--no-map-gw, no forwarded ports).',
  kind: 'structural',
  why: 'Loopback belongs to a network namespace (network_namespaces(7)): 127.0.0.1 in the cell is the cell itself.',
  fails: ['You allow it by name: --allow NAME=127.0.0.1:PORT.', 'A service of yours listens on all addresses and the policy is open.'],
  probe: async (bench) => {
    using four = await bench.serve({ address: '127.0.0.1' })
    using six = await bench.serve({ address: '::1' }).catch(() => bench.serve({ address: '127.0.0.1' }))
    const { result } = await bench.inside(
      async ({ connect, fs }, given) => {
        const gateways = fs
          .readFileSync('/proc/net/route', 'utf8')
          .split('\n')
          .slice(1)
          .map((line) => line.split('\t')[2] ?? '')
        const dotted = gateways
          .filter((each) => /^[0-9A-F]{8}$/.test(each) && each !== '00000000')
          .map((each) => [6, 4, 2, 0].map((at) => Number.parseInt(each.slice(at, at + 2), 16)).join('.'))
        const hosts = ['127.0.0.1', '127.1.2.3', 'localhost', '0.0.0.0', '198.18.0.1', ...dotted]
        const tried: Record<string, string> = {}
        for (const host of hosts) tried[host] = await connect({ host, port: given.four }, 1500)
        for (const host of ['::1', '::ffff:127.0.0.1', '::']) tried[host] = await connect({ host, port: given.six }, 1500)
        return tried
      },
      { four: four.port, six: six.port },
    )
    const came = four.connections() + six.connections()
    const reached = Object.entries(result).filter(([, outcome]) => outcome === 'connected')
    if (came > 0 || reached.length > 0)
      return broken(`${came} connections arrived at a server on the host's loopback, by ${reached.map(([host]) => host).join(', ')}`)
    return held(
      `servers on 127.0.0.1 and ::1 of the host saw nobody; tried ${Object.entries(result)
        .map(([host, outcome]) => `${host} (${outcome})`)
        .join(', ')}`,
    )
  },
}
