import { useSearchParams } from 'wouter'
import { Link } from '../../parts/link.tsx'
import { count } from '../../parts/shown-text.ts'
import { Foreign } from '../../parts/text.tsx'
import type { Decision } from './decisions.ts'

const most = 12

/** The number of loaded decisions for each host. */
export function Hosts({ rows }: { readonly rows: readonly Decision[] }) {
  const [search] = useSearchParams()
  const hosts = new Map<string, { allowed: number; denied: number }>()
  for (const { host, decision } of rows) {
    const found = hosts.get(host) ?? { allowed: 0, denied: 0 }
    found[decision] += 1
    hosts.set(host, found)
  }
  const sorted = [...hosts].sort(([, one], [, other]) => other.allowed + other.denied - one.allowed - one.denied)
  if (sorted.length === 0) return null
  const to = (host: string): string => {
    const next = new URLSearchParams(search)
    next.set('host', host)
    return `/egress?${next}`
  }
  return (
    <section className="card" aria-labelledby="hosts">
      <header>
        <h2 id="hosts">By host</h2>
        <span className="soft small end">of {count(rows.length)} decisions</span>
      </header>
      <table>
        <thead>
          <tr>
            <th>Host</th>
            <th className="n">Allowed</th>
            <th className="n">Denied</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, most).map(([host, { allowed, denied }]) => (
            <tr key={host}>
              <td className="wrap">
                <Link to={to(host)} className="mono xs any">
                  <Foreign>{host}</Foreign>
                </Link>
              </td>
              <td className="n">{count(allowed)}</td>
              <td className={`n${denied > 0 ? ' bad b' : ''}`}>{count(denied)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length <= most ? null : <p className="soft small pad">And {count(sorted.length - most)} other hosts.</p>}
    </section>
  )
}
