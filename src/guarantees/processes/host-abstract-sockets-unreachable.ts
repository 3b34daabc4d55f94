import { broken, type Guarantee, held } from '../guarantee.ts'

export const abstractSocketsOwn: Guarantee = {
  id: 'host-abstract-sockets-unreachable',
  chapter: 'processes',
  claim: 'A cell can neither reach nor list abstract Unix sockets of the host (X11, D-Bus, desktop agents).',
  mechanism: 'Abstract names belong to the network namespace (unix(7)), and the cell has a separate one under every egress policy.',
  kind: 'structural',
  why: "The name does not exist in another namespace, and /proc/net/unix shows only the cell's own names.",
  fails: ['None known except a bug in the kernel.'],
  probe: async (bench) => {
    const name = bench.secret()
    using server = await bench.serve({ path: `\0${name}` })
    const { result } = await bench.inside(async ({ net, fs, connect }, given) => {
      const own = net.createServer((socket) => socket.end())
      await new Promise<void>((resolve) => own.listen(`\0${given}-own`, resolve))
      const control = await connect({ path: `\0${given}-own` }, 1000)
      own.close()
      const listed = fs.readFileSync('/proc/net/unix', 'utf8')
      return {
        canary: await connect({ path: `\0${given}` }, 1000),
        control,
        listed: listed.includes(given.slice(0, -1)) && !listed.includes(`${given}-own`),
      }
    }, name)
    if (result.control !== 'connected') return broken(`the cell's own abstract socket could not be reached either: ${result.control}`)
    if (result.canary === 'connected' || server.connections() > 0) return broken('an abstract socket of the host was reached from the cell')
    if (result.listed) return broken('an abstract socket of the host is listed in /proc/net/unix')
    return held(`an abstract socket of the host by its name: ${result.canary}, not listed; one of the cell's own works`)
  },
}
