import { broken, type Guarantee, held } from '../guarantee.ts'
import { collect } from '../probe/bench.ts'

export const siblingsUnreachable: Guarantee = {
  id: 'siblings-unreachable',
  chapter: 'network',
  claim: 'Cells that run at the same time cannot reach each other: not by address, not by name, not by an abstract Unix socket.',
  mechanism:
    "Each cell has a separate network namespace, which includes abstract sockets (unix(7)). No cell's ports are forwarded to an address that another could reach. Under public and open, a packet filter blocks unsolicited incoming traffic and datagrams to an address of the host.",
  kind: 'structural',
  why: "Only pasta's sockets connect two namespaces, and they carry only what the filter allows.",
  fails: [
    'A port that you publish is on your loopback, which no cell can reach.',
    'Two cells that share a writable directory can connect through a socket file in it.',
  ],
  probe: async (bench) => {
    const name = bench.secret()
    const server = await bench.start(
      bench.command(async ({ net, os }, given) => {
        let seen = 0
        const count = (): void => {
          seen++
        }
        const tcp = net.createServer(count)
        const abstract = net.createServer(count)
        await new Promise<void>((resolve) => tcp.listen(47_471, '::', resolve))
        await new Promise<void>((resolve) => abstract.listen(`\0${given}`, resolve))
        const addresses = Object.values(os.networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
        process.stdout.write(`ready ${JSON.stringify({ addresses, host: os.hostname() })}\n`)
        // A connection over the cell's own loopback shows that the server listens at all.
        await new Promise<void>((resolve) => net.connect(47_471, '127.0.0.1', resolve))
        await new Promise<void>((resolve) => process.stdin.once('end', resolve).resume())
        return seen
      }, name),
      {},
      { stdin: 'pipe' },
    )
    const ended = collectWith(server)
    const { addresses, host } = JSON.parse((await ended.line).replace('ready ', '')) as { addresses: string[]; host: string }
    const { result } = await bench.inside(
      async ({ connect }, given) => {
        const tried: Record<string, string> = {}
        for (const to of ['127.0.0.1', '::1', given.host, `${given.host}.local`, ...given.addresses])
          tried[to] = await connect({ host: to, port: 47_471 }, 1000)
        tried['abstract socket'] = await connect({ path: `\0${given.name}` }, 1000)
        return tried
      },
      { addresses, host, name },
    )
    server.stdin?.end()
    const { stdout } = await ended.done
    const seen = Number(/\u0001(\d+)\n?$/.exec(stdout)?.[1] ?? Number.NaN)
    const reached = Object.entries(result).filter(([, outcome]) => outcome === 'connected')
    if (reached.length > 0 || seen > 1) return broken(`one cell reached another by ${reached.map(([to]) => to).join(', ')}`)
    if (seen !== 1) return broken('the server in the first cell did not receive its own connection, so the probe is inconclusive')
    return held(
      `a server in another cell received only its own connection; tried ${Object.entries(result)
        .map(([to, outcome]) => `${to} (${outcome})`)
        .join(', ')}`,
    )
  },
}

/** Returns the first line of a cell's output as soon as it is available, and the whole output at the end. */
function collectWith(cell: Awaited<ReturnType<import('../probe/bench.ts').ProbeBench['start']>>): {
  readonly line: Promise<string>
  readonly done: ReturnType<typeof collect>
} {
  const { promise: line, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  cell.stdout.on('data', (chunk: Buffer) => {
    text += String(chunk)
    const end = text.indexOf('\n')
    if (end >= 0) resolve(text.slice(0, end))
  })
  const done = collect(cell)
  done.then(({ stderr }) => reject(new Error(`the first cell ended too soon: ${stderr.slice(-300)}`)), reject)
  return { line, done }
}
