import { broken, type Guarantee, held } from '../guarantee.ts'

export const unlistedPortsRefused: Guarantee = {
  id: 'unlisted-ports-refused',
  chapter: 'network',
  claim: 'An allowed host is reachable only on its allowed ports.',
  mechanism: 'Listeners exist only for the allowed ports, and the gateway looks up the name and port together.',
  kind: 'structural',
  why: 'Nothing listens on other ports of the address that the name resolves to.',
  fails: ['None known.'],
  under: ['allowlist'],
  probe: async (bench) => {
    const [one, two] = [`${bench.secret()}.example`, `${bench.secret()}.example`]
    const { result } = await bench.inside(
      async ({ connect }, given) => {
        const tried: string[] = []
        for (const [host, ports] of given) for (const port of ports) tried.push(`${port} ${await connect({ host, port }, 1500)}`)
        return tried
      },
      [
        [one, [80, 22, 8443, 53]],
        [two, [443, 22]],
      ] as const,
      {
        egress: bench.policy([
          { host: one, ports: [443] },
          { host: two, ports: [8443] },
        ]),
      },
    )
    const open = result.filter((each) => !/ECONNREFUSED|ECONNRESET|ENETUNREACH/.test(each))
    const dialled = bench.names.resolved.some((each) => each === one || each === two)
    if (open.length > 0 || dialled)
      return broken(`another port was open: ${open.join(', ')}${dialled ? ', and the name was resolved for it' : ''}`)
    return held(
      `six ports that are not allowed for their name, two of them allowed for another name: ${[...new Set(result.map((each) => each.split(' ')[1]))].join(', ')}`,
    )
  },
}
