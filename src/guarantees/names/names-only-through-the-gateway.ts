import { broken, type Guarantee, held } from '../guarantee.ts'

export const namesOnlyThroughGateway: Guarantee = {
  id: 'names-only-through-the-gateway',
  chapter: 'names',
  claim:
    'Even with the public internet open, DNS and DNS over TLS reach only the gateway. So every name that is looked up is in the audit log, within the limits for a flood, and names of internal addresses do not exist.',
  mechanism:
    'The filter rejects ports 53 and 853 everywhere except on loopback, where the gateway answers. The gateway leaves internal addresses out of its answers.',
  kind: 'policy',
  why: 'No other name server can be reached on its ports, and the gateway classifies every address that it returns.',
  fails: [
    'If a cell floods the log, it records the outcome for the first 100,000 different hosts, and after the first 1,000 of these at most 1,000 per registrable domain. Everything else is counted by domain in `egress.unwritten` every ten seconds, which names at most 20 domains.',
    'DNS over HTTPS looks like any other HTTPS, so a program that uses it resolves names unseen. Its connections to internal addresses are still rejected.',
  ],
  under: ['public'],
  probe: async (bench) => {
    const stem = bench.secret()
    const [inside, outside, turning] = [`inside.${stem}.example`, `outside.${stem}.example`, `turning.${stem}.example`]
    bench.names.set(inside, ['10.1.2.3', 'fd00::7'])
    bench.names.set(outside, ['93.184.216.34'])
    bench.names.set(turning, ['93.184.216.34'], ['192.168.1.1'])
    const { result } = await bench.inside(
      async ({ connect, dns }, given) => {
        const look = (name: string): Promise<string> =>
          dns.promises.resolve4(name).then(
            (found) => found.join(','),
            (error: NodeJS.ErrnoException) => error.code ?? error.message,
          )
        return {
          tcp: [await connect({ host: '93.184.216.34', port: 53 }, 1500), await connect({ host: '93.184.216.34', port: 853 }, 1500)],
          inside: await look(given.inside),
          outside: await look(given.outside),
          turning: [await look(given.turning), await look(given.turning)],
        }
      },
      { inside, outside, turning },
    )
    const open = result.tcp.filter((each) => !['EHOSTUNREACH', 'EACCES', 'ENETUNREACH', 'EPERM'].includes(each))
    if (open.length > 0) return broken(`another name server was reachable: ${result.tcp.join(', ')}`)
    if (result.inside !== 'ENOTFOUND' || result.turning[1] !== 'ENOTFOUND')
      return broken(`a name of an internal address was answered: ${result.inside}, ${result.turning[1]}`)
    if (result.outside !== '93.184.216.34' || !bench.names.resolved.includes(outside))
      return broken(`a public name was not answered (${result.outside}), so the probe is inconclusive`)
    return held(
      `ports 53 and 853 outside: ${result.tcp.join(', ')}; a name of an internal address, and one that changed to one: ENOTFOUND; a public name was answered by the gateway`,
    )
  },
}
