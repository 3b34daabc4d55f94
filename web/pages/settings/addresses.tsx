import type { components } from '../../../src/client/api.ts'
import { useServer } from '../../ask-server.ts'
import { Copy } from '../../parts/copy.tsx'
import { Pending } from '../../parts/notice.tsx'
import { Part } from './part.tsx'

const loopback = /^(localhost|127\.[\d.]+|\[::1\])$/

/** The addresses of the page for browsers. */
export function Addresses() {
  const server = useServer()
  return (
    <Part id="addresses" title="Reachable addresses">
      <Pending {...server} rows={1} />
      {server.data === null ? null : <Known addresses={server.data.addresses} />}
      <p className="soft small">
        Set when the server starts: <code>paddock serve --public fleet.example.com --tls-proxy</code>. The name in the address bar must
        match exactly.
      </p>
    </Part>
  )
}

function Known({ addresses }: Pick<components['schemas']['Server'], 'addresses'>) {
  if (addresses.length === 0) return <p className="soft">Only through the socket on this machine.</p>
  return (
    <ul className="files">
      {addresses.map((each) => {
        const { protocol, hostname } = new URL(each)
        return (
          <li key={each}>
            <code className="grow any">{each}</code>
            <span className="soft small">{protocol === 'https:' ? 'TLS' : loopback.test(hostname) ? 'this machine' : 'not encrypted'}</span>
            <Copy text={each} label={`Copy ${each}`} />
          </li>
        )
      })}
    </ul>
  )
}
