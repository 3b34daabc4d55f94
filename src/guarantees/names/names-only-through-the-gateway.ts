import { broken, type Guarantee, held } from '../guarantee.ts'

export const namesOnlyThroughGateway: Guarantee = {
  id: 'names-only-through-the-gateway',
  chapter: 'names',
  claim:
    'With the public internet open, DNS and DNS over TLS still reach nobody but the gateway, so every looked-up name is in the audit log, up to the limits of a flood; a name that means an internal address does not exist.',
  mechanism:
    'The filter rejects ports 53 and 853 everywhere but on loopback, where the gateway answers; it leaves internal addresses out of its answers.',
  kind: 'policy',
  why: 'Other servers of names cannot be spoken to at their ports, and what the gateway answers was classified.',
  fails: [
    'Of a cell that floods it, the log has the first 100,000 different hosts with what became of them, and beyond the first 1,000 of these at most 1,000 below one registrable domain; all else it counts by domain, in `egress.unwritten` every ten seconds, where at most 20 domains are named.',
    'DNS over HTTPS looks like any other HTTPS: a program that brings it resolves names unseen. Its connections to internal addresses are rejected all the same.',
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
    if (open.length > 0) return broken(`another server of names could be spoken to: ${result.tcp.join(', ')}`)
    if (result.inside !== 'ENOTFOUND' || result.turning[1] !== 'ENOTFOUND')
      return broken(`a name that means an internal address was answered: ${result.inside}, ${result.turning[1]}`)
    if (result.outside !== '93.184.216.34' || !bench.names.resolved.includes(outside))
      return broken(`a public name was not answered (${result.outside}), so nothing was shown`)
    return held(
      `ports 53 and 853 outside: ${result.tcp.join(', ')}; a name of an internal address, and one that turned to one: ENOTFOUND; a public name was answered by the gateway`,
    )
  },
}
