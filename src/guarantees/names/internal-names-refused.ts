import { broken, type Guarantee, held } from '../guarantee.ts'

export const internalAddressOf: Readonly<Record<string, string>> = {
  loopback: '127.0.0.1',
  'private 10/8': '10.1.2.3',
  'private 172.16/12': '172.16.5.5',
  'private 192.168/16': '192.168.7.7',
  'shared 100.64/10': '100.64.0.5',
  'link-local': '169.254.7.7',
  'cloud metadata': '169.254.169.254',
  'metadata of another cloud': '168.63.129.16',
  'metadata of a third': '100.100.100.200',
  'metadata of a fourth': '192.0.0.192',
  unspecified: '0.0.0.0',
  multicast: '224.0.0.251',
  reserved: '240.0.0.1',
  'IPv6 loopback': '::1',
  'IPv6 unique-local': 'fd12:3456:789a::1',
  'IPv6 of a private overlay': 'fd7a:115c:a1e0::1',
  'IPv6 link-local': 'fe80::1',
  'IPv6 metadata': 'fd00:ec2::254',
  mapped: '::ffff:10.1.2.3',
  NAT64: '64:ff9b::a01:203',
  'local NAT64': '64:ff9b:1::a01:203',
  '6to4': '2002:a01:203::1',
  Teredo: '2001:0:a01:203::1',
}

export const internalNamesRefused: Guarantee = {
  id: 'internal-names-refused',
  chapter: 'names',
  claim: 'If an allowed name resolves to an internal address, in any notation, the gateway does not connect to it.',
  mechanism: 'The gateway classifies every resolved address, including IPv4 inside IPv6, and connects only to public ones.',
  kind: 'policy',
  why: 'The gateway connects to the exact address that it checked, without resolving again. The ranges are those of the IANA special-purpose registries (RFC 6890) and those that cloud providers document.',
  fails: [
    'You allow it on purpose, by pinning the name to an address.',
    'Your network uses public addresses for internal machines: block them with your own list, or do not allow the name.',
    'Your machine uses a proxy, which resolves the name itself: the gateway checks what your machine resolves, and leaves a name to the proxy that only the proxy resolves.',
  ],
  under: ['allowlist'],
  probe: async (bench) => {
    const stem = bench.secret()
    const hosts = Object.entries(internalAddressOf).map(([what, address], index) => ({ what, address, host: `n${index}.${stem}.example` }))
    for (const { host, address } of hosts) bench.names.set(host, [address])
    const { result } = await bench.inside(
      async ({ connect, tls }, given) => {
        const tried: Record<string, string> = {}
        for (const host of given) {
          tried[host] = await new Promise<string>((resolve) => {
            const socket = tls.connect({ host, port: 443, servername: host })
            socket.setTimeout(4000, () => socket.destroy(new Error('timeout')))
            socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            socket.once('close', () => resolve('closed'))
          })
        }
        return { tried, other: await connect({ host: 'localhost', port: 9 }, 500) }
      },
      hosts.map((each) => each.host),
      { egress: bench.policy(hosts.map(({ host }) => ({ host }))) },
    )
    const dialled = bench.names.dialled.filter((each) => hosts.some(({ address }) => address === each.address))
    if (dialled.length > 0) return broken(`connected to: ${dialled.map((each) => each.address).join(', ')}`)
    const asked = hosts.filter(({ host }) => bench.names.resolved.includes(host)).length
    if (asked !== hosts.length) return broken(`only ${asked} of ${hosts.length} names reached the resolver, so the probe is inconclusive`)
    return held(
      `${hosts.length} names, each for a different kind of internal address (${hosts.map(({ what }) => what).join(', ')}): no connection was made; the cell saw ${[...new Set(Object.values(result.tried))].join(', ')}`,
    )
  },
}
