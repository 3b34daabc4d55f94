import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { makeIssuer } from '../../egress/inspect/tls/authority.ts'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const authorityConstrained: Guarantee = {
  id: 'authority-constrained',
  chapter: 'requests',
  claim:
    "A cell's certificate authority can vouch only for the inspected names and their subdomains. A client refuses anything else that it might sign.",
  mechanism:
    'A critical name constraint in its certificate (RFC 5280, section 4.2.1.10) permits these names, and excludes all IP addresses.',
  kind: 'structural',
  why: 'Clients check the constraint themselves when they build the chain, so even with the key nobody could impersonate another host.',
  fails: ['A client does not check name constraints. A client that does not know them must refuse, because the constraint is critical.'],
  under: ['allowlist'],
  probe: async (bench) => {
    const hosts = [`${bench.secret()}.example`, `${bench.secret()}.example`]
    const { result } = await bench.inside(({ fs }) => fs.readFileSync('/etc/paddock/ca.pem', 'utf8'), null, {
      egress: bench.policy(hosts.map((host) => ({ host, inspect: { rules: [], otherwise: 'allow' as const } }))),
    })
    const { raw } = new X509Certificate(result)
    // The extension (2.5.29.30), marked as critical, and the tag of permitted subtrees in its value.
    const at = raw.indexOf(Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x1e, 0x01, 0x01, 0xff, 0x04]))
    if (at < 0) return broken('the certificate of the authority has no critical name constraint')
    const value = raw.subarray(at + 9)
    const permitted = value.subarray(0, 8).includes(0xa0)
    const absent = hosts.filter((each) => !value.includes(each))
    if (!permitted || absent.length > 0) return broken('the name constraint of the authority does not permit exactly the inspected names')
    const [right = '', other] = await Promise.all([answerFor(hosts[0] ?? '', hosts), answerFor('other.example', hosts)])
    if (right !== 'trusted') return broken(`a certificate for an inspected name is refused (${right}), so the probe is inconclusive`)
    if (other === 'trusted') return broken('a client trusts a certificate for another name that such an authority signed')
    return held(
      `its certificate permits ${hosts.length} names and is critical; a client refused a certificate that such an authority signed for another name (${other})`,
    )
  },
}

/** Returns a TLS client's result for a certificate with this name, signed by an authority for these hosts. */
async function answerFor(name: string, hosts: readonly string[]): Promise<string> {
  const issuer = makeIssuer(hosts)
  const server = createServer(issuer.issue(name)).on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect({ host: '127.0.0.1', port, servername: name, ca: issuer.certificate })
  try {
    return await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve('trusted'))
      socket.once('error', (error) => resolve(error.message))
    })
  } finally {
    socket.destroy()
    server.close()
  }
}
