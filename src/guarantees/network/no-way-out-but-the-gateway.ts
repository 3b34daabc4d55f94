import { broken, type Guarantee, held } from '../guarantee.ts'
import { waysOut } from './one-interface.ts'

export const noWayOut: Guarantee = {
  id: 'no-way-out-but-the-gateway',
  chapter: 'network',
  claim: 'Nothing leaves a cell by TCP, UDP, ICMP or any other protocol but through the gateway.',
  mechanism:
    'The cell’s network namespace has loopback and nothing else: no other interface, no route that leaves; the gateway’s listeners are on loopback.',
  kind: 'structural',
  why: 'A packet needs an interface to leave by. A socket of the host that the host itself accepts from is the only thing that reaches outside, and a cell cannot make one.',
  fails: ['A hole in the kernel’s network namespaces.', 'A Unix socket of a program of yours that the cell sees.'],
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
      return broken(`a literal address answered or swallowed a packet: TCP ${result.tcp.join(', ')}, UDP ${result.udp}`)
    return held(`no interface but lo and no route; literal addresses: TCP ${[...new Set(result.tcp)].join(', ')}, UDP ${result.udp}`)
  },
}
