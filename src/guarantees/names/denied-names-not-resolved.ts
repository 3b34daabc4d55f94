import { broken, type Guarantee, held } from '../guarantee.ts'

export const deniedNamesNotResolved: Guarantee = {
  id: 'denied-names-not-resolved',
  chapter: 'names',
  claim: 'A denied name is never looked up anywhere, so a cell cannot send data out in the labels of a name.',
  mechanism:
    'The gateway is the only DNS server that a cell can reach. It answers from the allowlist and resolves a name only when an allowed connection to it is made.',
  kind: 'structural',
  why: 'A DNS tunnel needs a resolver that forwards queries, and there is none. The gateway answers an allowed name with its own loopback address for that name and a denied one with NXDOMAIN, and asks no other server for either.',
  fails: ['A wildcard allows names that the cell makes up. They are resolved when the cell connects to them.'],
  under: ['off', 'allowlist'],
  probe: async (bench) => {
    const secret = bench.secret()
    const allowed = `${bench.secret()}.example`
    bench.names.set(allowed, ['93.184.216.34'])
    const { result } = await bench.inside(
      async ({ dns, dgram }, given) => {
        const resolver = new dns.promises.Resolver({ timeout: 1000, tries: 1 })
        const told: Record<string, string> = {}
        const names = [
          `${given.secret}.example`,
          `${given.secret}.${given.allowed}`,
          `${given.secret.toUpperCase()}.EXAMPLE`,
          `_${given.secret}._tcp.example`,
        ]
        for (const name of names) {
          for (const type of ['A', 'AAAA', 'TXT', 'MX', 'CNAME', 'SRV', 'NS', 'PTR'])
            told[`${type} ${name}`] = await resolver.resolve(name, type).then(
              () => 'answered',
              (error: NodeJS.ErrnoException) => error.code ?? error.message,
            )
          told[`lookup ${name}`] = await dns.promises.lookup(name).then(
            () => 'answered',
            (error: NodeJS.ErrnoException) => error.code ?? error.message,
          )
        }
        // A query that is sent directly to a server on the internet, and a query with bytes that are not a name.
        const socket = dgram.createSocket('udp4')
        socket.on('error', () => undefined)
        const label = Buffer.from(given.secret.slice(0, 40))
        const query = Buffer.concat([
          Buffer.from([1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, label.length]),
          label,
          Buffer.from([3, 0xff, 0x2e, 0x00, 0, 0, 16, 0, 1]),
        ])
        for (const server of ['127.0.0.53', '93.184.216.34', '198.18.0.1'])
          await new Promise<void>((resolve) => {
            socket.send(query, 53, server, () => resolve())
          })
        await new Promise((resolve) => setTimeout(resolve, 50))
        socket.close()
        return told
      },
      { secret, allowed },
      { egress: bench.policy([{ host: allowed }]) },
    )
    const asked = bench.names.resolved.filter((each) => each.toLowerCase().includes(secret))
    if (asked.length > 0) return broken(`${asked.length} denied names reached the resolver, including ${asked[0]}`)
    const answered = Object.entries(result).filter(([, outcome]) => outcome === 'answered')
    if (answered.length > 0) return broken(`a denied name was answered: ${answered[0]?.[0]}`)
    if (bench.names.resolved.includes(allowed)) return broken('an allowed name was resolved although nothing connected to it')
    return held(`${Object.keys(result).length} queries of nine types for denied names: none was answered, none reached the resolver`)
  },
}
