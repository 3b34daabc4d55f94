import { broken, type Guarantee, held } from '../guarantee.ts'

const limit = 4_096
const more = 60

export const connectionsLimited: Guarantee = {
  id: 'connections-limited',
  chapter: 'limits',
  claim: 'The gateway keeps no more than 4,096 connections of one cell open at once.',
  mechanism: 'The gateway counts the connections of its cell and resets any above the limit.',
  kind: 'policy',
  why: 'Buffers are bounded per connection, so a limit on connections bounds all the memory that a cell can make the host use.',
  fails: ['The connections of several cells add up.'],
  under: ['allowlist'],
  probe: async (bench) => {
    const allowed = `${bench.secret()}.example`
    const { result, report } = await bench.inside(
      async ({ net, dns }, given) => {
        const { address } = await dns.promises.lookup(given.allowed, { family: 4 })
        const sockets: import('node:net').Socket[] = []
        let [open, refused, ended] = [0, 0, 0]
        const one = (): Promise<void> =>
          new Promise((resolve) => {
            const socket = net.connect({ host: address, port: 443 }, () => {
              open++
              resolve()
            })
            socket.once('error', () => {
              refused++
              resolve()
            })
            socket.once('close', () => {
              ended++
            })
            sockets.push(socket)
          })
        for (let each = 0; each < given.wanted; each += 128)
          await Promise.all(Array.from({ length: Math.min(128, given.wanted - each) }, one))
        // The kernel accepted the excess connections. The gateway resets them as soon as it handles them.
        for (let tries = 0; ended < given.more && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 100))
        for (const each of sockets) each.destroy()
        return { open, refused }
      },
      { allowed, wanted: limit + more, more },
      { egress: bench.policy([{ host: allowed }]) },
    )
    const denied = report.egress.denied.filter((each) => each.reason === 'too-many').reduce((sum, each) => sum + each.count, 0)
    if (result.open < limit) return broken(`only ${result.open} connections were opened, so the probe is inconclusive`)
    if (denied < more) return broken(`${result.open} connections were open at once and ${denied} were refused`)
    return held(`of ${limit + more} connections at once, ${denied} were reset as too many`)
  },
}
