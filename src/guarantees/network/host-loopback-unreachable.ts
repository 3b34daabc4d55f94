import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { broken, type Guarantee, held } from '../guarantee.ts'
import type { ProbeBench } from '../probe/bench.ts'

const program = new URL('./host-loopback-unreachable.pl', import.meta.url)

export const hostLoopbackUnreachable: Guarantee = {
  id: 'host-loopback-unreachable',
  chapter: 'network',
  claim: 'A cell cannot reach servers on the loopback addresses of your machine.',
  mechanism:
    "A private network namespace. pasta, if attached, runs without a mapping of the host's loopback (--no-map-gw, no forwarded ports), and a packet filter rejects packets that would leave for loopback.",
  kind: 'structural',
  why: 'Loopback belongs to a network namespace (network_namespaces(7)), so 127.0.0.1 in the cell is the cell itself. A socket bound to the interface (SO_BINDTODEVICE) is subject to the filter, which the agent cannot change.',
  fails: [
    'You allow it by name: --allow NAME=127.0.0.1:PORT.',
    "A service of yours listens on all addresses and the policy is open: TCP reaches it at your machine's other addresses.",
  ],
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
    const datagrams = await boundToDevice(bench)
    if (datagrams !== null) return broken(datagrams)
    const came = four.connections() + six.connections()
    const reached = Object.entries(result).filter(([, outcome]) => outcome === 'connected')
    if (came > 0 || reached.length > 0)
      return broken(`${came} connections arrived at a server on the host's loopback, by ${reached.map(([host]) => host).join(', ')}`)
    return held(
      `servers on 127.0.0.1 and ::1 of the host received no connection; tried ${Object.entries(result)
        .map(([host, outcome]) => `${host} (${outcome})`)
        .join(', ')}`,
    )
  },
}

/** Sends datagrams from a socket that is bound to the cell’s interface, if it has one. Returns the data that arrived, or null. */
async function boundToDevice(bench: ProbeBench): Promise<string | null> {
  const arrived: string[] = []
  const servers = (['127.0.0.1', '::1'] as const).map((address) => ({ address, socket: createSocket(address === '::1' ? 'udp6' : 'udp4') }))
  try {
    const to: string[] = []
    for (const { address, socket } of servers) {
      socket.on('message', () => arrived.push(address))
      const bound = await new Promise<boolean>((resolve) => {
        socket.once('error', () => resolve(false))
        socket.bind({ address, port: 0 }, () => resolve(true))
      })
      if (bound) to.push(address, String(socket.address().port))
    }
    await bench.inside(({ perl }, given) => perl(given.program, ...given.to), { program: readFileSync(program, 'utf8'), to })
    return arrived.length === 0
      ? null
      : `${arrived.length} datagrams of a socket bound to the interface arrived at ${[...new Set(arrived)].join(', ')}`
  } finally {
    await Promise.all(servers.map(({ socket }) => once(socket.close(), 'close')))
  }
}
