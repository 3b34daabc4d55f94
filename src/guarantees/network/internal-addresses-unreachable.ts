import { broken, type Guarantee, held } from '../guarantee.ts'
import { internalAddressOf } from '../names/internal-names-refused.ts'

/** Errors of connect(2) that show that no packet was sent: prohibited by the filter, no route, no listener on the cell's own loopback. */
const refused = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'EPERM', 'ECONNREFUSED', 'EADDRNOTAVAIL', 'EINVAL'])

export const internalAddressesUnreachable: Guarantee = {
  id: 'internal-addresses-unreachable',
  chapter: 'network',
  claim:
    'A cell cannot reach an internal address by its digits: loopback, private, shared, link-local, unique-local, multicast, reserved, cloud metadata, in IPv4, IPv6, and IPv4 inside IPv6.',
  mechanism:
    "Under off and allowlist there is no route. Under public, an nft filter in the cell's network namespace, loaded before the agent starts, rejects these ranges and drops anything that it does not know.",
  kind: 'policy',
  why: "The filter is below every socket call and checks the packet's destination, not a name. A user namespace in which the agent has no capability owns it.",
  fails: [
    'Your network uses public addresses for internal machines: name them with --block.',
    'A network that comes up while a cell runs is rejected only after a few seconds.',
  ],
  under: ['off', 'allowlist', 'public'],
  probe: async (bench) => {
    const { result } = await bench.inside(async ({ connect, dgram, fs }, given) => {
      const tcp = await Promise.all(given.map(async (host) => [host, await connect({ host, port: 80 }, 1500)] as const))
      const udp = await Promise.all(
        given.map(
          (host) =>
            new Promise<readonly [string, string]>((resolve) => {
              const socket = dgram.createSocket(host.includes(':') ? 'udp6' : 'udp4')
              const end = (how: string): void => resolve([host, how])
              socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
              // The result for the datagram is reported as an error of the socket (ip(7), IP_RECVERR of a connected one).
              socket.once('connect', () => socket.send('x'))
              socket.connect(9, host)
              setTimeout(() => end('timeout'), 1500)
            }),
        ),
      )
      // If no error is returned (multicast, link-local), the interface's byte counter shows whether anything was sent.
      const leaving = (): number =>
        fs
          .readFileSync('/proc/net/dev', 'utf8')
          .split('\n')
          .filter((line) => line.includes(':') && !/^\s*lo:/.test(line))
          .reduce((sum, line) => sum + Number(line.split(':')[1]?.trim().split(/\s+/)[8] ?? 0), 0)
      const left: string[] = []
      for (const [host] of udp.filter(([, outcome]) => outcome === 'timeout')) {
        const before = leaving()
        const socket = dgram.createSocket(host.includes(':') ? 'udp6' : 'udp4')
        socket.on('error', () => undefined)
        for (let sent = 0; sent < 20; sent++)
          await new Promise<void>((resolve) => socket.send(Buffer.alloc(1000), 9, host, () => resolve()))
        await new Promise((resolve) => setTimeout(resolve, 50))
        socket.close()
        if (leaving() - before > 5000) left.push(host)
      }
      return { tcp, udp, left }
    }, Object.values(internalAddressOf))
    const silent = new Set(
      result.udp.flatMap(([host, outcome]) =>
        refused.has(outcome) || (outcome === 'timeout' && !result.left.includes(host)) ? [host] : [],
      ),
    )
    const odd = result.tcp.filter(([host, outcome]) => !refused.has(outcome) && !(outcome === 'timeout' && silent.has(host)))
    const reached: readonly (readonly [string, string])[] = [...odd, ...result.left.map((host) => [host, 'datagrams left'] as const)]
    if (reached.length > 0)
      return broken(
        `not refused at once: ${reached
          .slice(0, 6)
          .map(([host, outcome]) => `${host} (${outcome})`)
          .join(', ')}`,
      )
    const words = [...new Set(result.tcp.map(([, outcome]) => outcome))].join(', ')
    return held(`${result.tcp.length} addresses of every internal kind: connect(2) returned ${words}; no packet left`)
  },
}
