import { X509Certificate } from 'node:crypto'
import { broken, type Guarantee, held } from '../guarantee.ts'
import { webHost } from '../probe/web-host.ts'

export const uninspectedStaysEncrypted: Guarantee = {
  id: 'uninspected-stays-encrypted',
  chapter: 'requests',
  claim: "TLS to a host that is not inspected is not decrypted on the way: the cell gets that host's own certificate.",
  mechanism: 'The gateway relays the bytes of such a connection, and the authority of the cell refuses to make a certificate for its name.',
  kind: 'structural',
  why: "Without the host's private key nobody can impersonate it (RFC 8446).",
  fails: ['Paddock still sees the name (SNI), the time and the amount of data.'],
  under: ['allowlist'],
  probe: async (bench) => {
    using open = await webHost(bench)
    using closed = await webHost(bench)
    const { result } = await bench.inside(
      ({ tls }, given) => {
        const shown = (host: string): Promise<string> =>
          new Promise((resolve) => {
            const socket = tls.connect({ host, port: 443, servername: host, rejectUnauthorized: false }, () => {
              resolve(socket.getPeerCertificate().fingerprint256)
              socket.destroy()
            })
            socket.setTimeout(4000, () => socket.destroy())
            socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
            socket.once('close', () => resolve('closed'))
          })
        return Promise.all([shown(given.open), shown(given.closed)])
      },
      { open: open.name, closed: closed.name },
      { egress: bench.policy([{ host: open.name, inspect: { rules: [], otherwise: 'allow' } }, { host: closed.name }]) },
    )
    const own = (certificate: string): string => new X509Certificate(certificate).fingerprint256
    if (result[1] !== own(closed.certificate))
      return broken(`a host that is not inspected presented a certificate other than its own to the cell (${result[1]})`)
    if (result[0] === own(open.certificate) || !(result[0] ?? '').includes(':'))
      return broken(`an inspected host presented its own certificate or none (${result[0]}), so the probe is inconclusive`)
    return held(
      "in one cell, a host that is not inspected presented its own certificate (SHA-256), and an inspected one that of the cell's authority",
    )
  },
}
