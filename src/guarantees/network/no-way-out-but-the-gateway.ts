import { broken, type Guarantee, held } from '../guarantee.ts'
import { waysOut } from './one-interface.ts'

export const noWayOut: Guarantee = {
  id: 'no-way-out-but-the-gateway',
  chapter: 'network',
  claim: 'Traffic leaves a cell only through the gateway, whether TCP, UDP, ICMP or any other protocol.',
  mechanism:
    "The cell's network namespace has only loopback: no other interface and no route out. The gateway's listeners are on loopback.",
  kind: 'structural',
  why: 'A packet needs an interface to leave. Only a socket on which the host itself accepts connections reaches outside, and a cell cannot create one.',
  fails: ["A bug in the kernel's network namespaces.", 'The cell can see a Unix socket of one of your programs.'],
  under: ['off', 'allowlist'],
  probe: async (bench) => {
    const { result: ways } = await bench.inside(waysOut, null)
    if (ways.interfaces.length + ways.routes.length > 0)
      return broken(`the cell has ${[...ways.interfaces, ...ways.routes].slice(0, 4).join(', ')}`)
    const { result } = await bench.inside(async ({ connect, dgram }) => {
      const tcp = [
        await connect({ host: '93.184.216.34', port: 443 }, 1500),
        await connect({ host: '198.18.200.200', port: 443 }, 1500),
        await connect({ host: '2606:2800:220:1::1', port: 443 }, 1500),
      ]
      const udp = await new Promise<string>((resolve) => {
        const socket = dgram.createSocket('udp4')
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
        socket.send('x', 443, '93.184.216.34', (error) => resolve((error as NodeJS.ErrnoException | null)?.code ?? 'sent'))
      })
      return { tcp, udp }
    }, null)
    if (result.tcp.some((each) => each === 'connected' || each === 'timeout') || result.udp === 'sent')
      return broken(`a literal address answered a packet or dropped it: TCP ${result.tcp.join(', ')}, UDP ${result.udp}`)
    return held(`no interface except lo and no route; literal addresses: TCP ${[...new Set(result.tcp)].join(', ')}, UDP ${result.udp}`)
  },
}
